import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';

test('the served document is valid OpenAPI', async () => {
  const { rpc } = await createEmbeddedLedger();
  const handler = createHandler({ client: createHeavenClient({ rpc }) });
  const document = await handler(new Request('http://service/openapi.json'));
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(await document.text()))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});
