import { expect, test } from 'vitest';

import { CREATIONS } from '../../src/http/schemas/compare.js';
import { getInstructionDeclarations } from '../../src/program/instructions/declarations.js';

test('the client knows where the instructions declare what a creation makes', () => {
  for (const [name, { discriminator, position }, account] of [
    ['create_standard_liquidity_pool', CREATIONS.launch, 'tokenAMint'],
    ['create_pro_liquidity_pool', CREATIONS.proCreate, 'liquidityPoolState'],
  ] as const) {
    const declaration = getInstructionDeclarations().find((one) => one.name === name);
    expect(declaration?.discriminator).toBe(discriminator);
    expect(Object.keys(declaration?.accounts ?? {})[position]).toBe(account);
  }
});
