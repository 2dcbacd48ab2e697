import type { HttpDocument } from './exchange.js';
import lines from './openapi.json' with { type: 'json' };

/**
 * The HTTP interface as an OpenAPI 3.1 document, as `npm run openapi` wrote it. The file has its lines as texts, because importing
 * JSON rounds large integers.
 */
export const openApiText = (): string => lines.join('\n');

export const openApi = (): HttpDocument => ({
  headers: { 'content-type': 'application/json' },
  body: openApiText(),
});
