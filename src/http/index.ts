export { createHandler, type Handler, type HandlerConfig } from './handler.js';
