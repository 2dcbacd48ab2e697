import type { Scenario } from '../scenario.js';
import { type EditedConfigsOptions, editedConfigs } from './edited-configs.js';
import { type RandomTradesOptions, randomTrades } from './random-trades.js';
import { tradeFailures } from './trade-failures.js';
import { transferFees } from './transfer-fees.js';

/** How many trades to make. */
export interface TradeScenariosOptions extends RandomTradesOptions, EditedConfigsOptions {}

const TRANSFER_FEES = 6;

/** The scenarios that only need trades. */
export const tradeScenarios = ({
  tradesPerPool = 120,
  roundsPerEdit = 2,
}: Partial<TradeScenariosOptions> = {}): readonly Scenario[] => [
  randomTrades({ tradesPerPool }),
  editedConfigs({ roundsPerEdit }),
  transferFees({ rates: TRANSFER_FEES }),
  tradeFailures(),
];
