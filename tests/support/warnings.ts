import type { BuiltTransaction, HeavenWarning } from '../../src/index.js';

/** A builder's warnings about this transaction, without the one about assumptions that every such transaction has. */
export const ownWarnings = ({ warnings }: Pick<BuiltTransaction, 'warnings'>): readonly HeavenWarning[] =>
  warnings.filter(({ code }) => code !== 'unverified-assumption');
