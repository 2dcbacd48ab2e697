/** Something that a person should know and that is no reason to refuse. */
export interface Warning {
  readonly code:
    | 'transfer-fee'
    | 'sandwich-window'
    | 'stale-price'
    | 'minimum-not-reached'
    | 'insufficient-balance';
  readonly message: string;
}
