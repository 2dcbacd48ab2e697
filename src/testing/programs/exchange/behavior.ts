/**
 * What a scripted instruction does: it succeeds without doing anything, or fails with a custom error number or one of the
 * runtime's error names.
 */
export type ScriptedOutcome = 'success' | { readonly custom: number } | { readonly runtime: string };

/**
 * How the emulated exchange deviates from this library's understanding of the program. What it does not
 * script stays as assumed.
 */
export interface ExchangeBehavior {
  /**
   * Scripts instructions instead of running the model: the exchange's by instruction name, such as
   * `create_standard_liquidity_pool`, and other programs' by program address.
   */
  readonly scripted?: { readonly [instructionOrProgram: string]: ScriptedOutcome };
}
