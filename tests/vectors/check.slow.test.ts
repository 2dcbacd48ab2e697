import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

test('a second implementation computes all vectors again', () => {
  const output = execFileSync('python3', [fileURLToPath(new URL('check.py', import.meta.url))], {
    encoding: 'utf8',
  });
  // Figures, seven files of vectors and two of mainnet.
  expect(output.match(/ 0 differences$/gm)).toHaveLength(10);
});
