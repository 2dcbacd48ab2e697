import type { Scenario } from '../scenario.js';
import { type RandomTradesOptions, randomTrades } from './random-trades.js';

export type TradeScenariosOptions = RandomTradesOptions;

/** What trades can prove. */
export const tradeScenarios = (
  options: TradeScenariosOptions = { tradesPerPool: 200 },
): readonly Scenario[] => [randomTrades(options)];
