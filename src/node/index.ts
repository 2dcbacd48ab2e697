/**
 * Serves the HTTP interface with Node.
 *
 * @module heaven-pools/node
 */

export type { SignedBytes } from '../build/prepared/signed-bytes.js';
export { createHandler, type Handler, type HandlerConfig } from '../http/handler.js';
export {
  createRemoteClient,
  type LaunchSigner,
  type RemoteClient,
  type RemoteClientConfig,
} from '../http/remote-client.js';
export { createMintSupply, type MintSupply, type MintSupplyConfig } from './mint-supply.js';
export { type RunningServer, type ServerConfig, startServer } from './server.js';
export { signPreparedSync } from './sign-prepared-sync.js';
