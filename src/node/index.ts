/**
 * Serves the HTTP interface with Node.
 *
 * @module heaven-pools/node
 */

export type { SignedBytes } from 'heaven-pools';
export { createMintSupply, type MintSupply, type MintSupplyConfig } from './mint-supply.js';
export { type RunningServer, type ServerConfig, startServer } from './server.js';
export { signPreparedSync } from './sign-prepared-sync.js';
