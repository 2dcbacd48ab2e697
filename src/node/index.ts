export { createHandler, type Handler, type HandlerConfig } from '../http/handler.js';
export { type RunningServer, type ServerConfig, startServer } from './server.js';
