import { expect, test, vi } from 'vitest';

import { createSvmEngine } from '../../src/testing/index.js';
import { expectRefusal } from '../support/errors.js';

vi.mock('litesvm', () => {
  throw new Error('Cannot find module');
});

test('without LiteSVM, an engine says what to install: the range that the package declares', async () => {
  const manifest = await import('../../package.json', { with: { type: 'json' } });
  const { litesvm: range } = manifest.default.peerDependencies;
  const engine = createSvmEngine({ programs: {} });
  const { message } = await expectRefusal(engine, 'missing-package', { package: 'litesvm', range });
  expect(message).toContain(`npm install litesvm@${range}`);
});
