// fast-check with one seed, so that a test run is the same each time. `FAST_CHECK_SEED=2 npm test` explores other values.
import fc from 'fast-check';

fc.configureGlobal({
  seed: Number(process.env.FAST_CHECK_SEED ?? 1),
  // Mutation tests ask only whether a property fails, not for the smallest case.
  endOnFailure: process.env.MUTATION_TESTS !== undefined,
});

export { fc };
