// fast-check with one seed, so that a test run is the same each time. `FAST_CHECK_SEED=2 npm test` explores other values.
import fc from 'fast-check';

fc.configureGlobal({
  seed: Number(process.env.FAST_CHECK_SEED ?? 1),
  // Mutation tests ask only whether a property fails, not for the smallest case.
  endOnFailure: process.env.MUTATION_TESTS !== undefined,
});

/** Any character. Not fast-check's own `binary` unit, because each text of that spends half a second on a list of all characters. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** Any text without half surrogate pairs. */
export const textsUpTo = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: anyCharacter, maxLength });

export { fc };
