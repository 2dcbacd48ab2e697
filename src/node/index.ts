export { createHandler, type Handler, type HandlerConfig } from '../http/handler.js';
export { createMintSupply, type MintSupply, type MintSupplyConfig } from './mint-supply.js';
export { type RunningServer, type ServerConfig, startServer } from './server.js';
