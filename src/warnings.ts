/** Something that a person should know and that is no reason to refuse. */
export interface Warning {
  readonly code:
    | 'transfer-fee'
    | 'sandwich-window'
    | 'stale-price'
    | 'price-impact'
    | 'minimum-not-reached'
    | 'minimum-too-low'
    | 'spend-too-high'
    | 'insufficient-balance'
    | 'same-slot-trading'
    | 'withdrawals-locked'
    | 'no-change'
    | 'nothing-to-claim'
    | 'no-catch-all'
    | 'useless-lookup-table'
    | 'position-rent';
  readonly message: string;
}
