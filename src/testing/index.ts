export {
  encodeClock,
  encodeLookupTable,
  encodeMint,
  encodePriceFeed,
  encodeTokenAccount,
  feeBrackets,
  type MintFields,
  slotFeeBrackets,
  type TransferFeeSetting,
} from './encode.js';
export {
  createEmbeddedLedger,
  type EmbeddedLedger,
  type LedgerAccount,
  type LedgerRequest,
  rentExemption,
} from './ledger.js';
export {
  type SamplePool,
  type SamplePoolFields,
  type SamplePoolName,
  sampleConfig,
  samplePool,
  samplePoolFields,
} from './samples.js';
