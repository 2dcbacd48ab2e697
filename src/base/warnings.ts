/** Something worth knowing that doesn't stop the call. */
export interface HeavenWarning {
  /** A stable word. */
  readonly code:
    | 'transfer-fee'
    | 'sandwich-window'
    | 'stale-price'
    | 'price-impact'
    | 'high-fee'
    | 'minimum-not-reached'
    | 'minimum-too-low'
    | 'unchecked-minimum'
    | 'spend-too-high'
    | 'low-liquid-sol'
    | 'mint-rights'
    | 'transfer-hook'
    | 'frozen-accounts'
    | 'wallet-limit'
    | 'insufficient-balance'
    | 'account-stays-open'
    | 'same-slot-trading'
    | 'withdrawals-locked'
    | 'creation-disabled'
    | 'no-change'
    | 'nothing-to-claim'
    | 'no-catch-all'
    | 'useless-lookup-table'
    | 'position-rent'
    | 'receiver-not-wallet'
    | 'off-curve-signer'
    | 'little-room-for-guards'
    | 'high-priority-fee'
    | 'high-tip'
    | 'compute-limit-too-low'
    | 'compute-limit-too-high'
    | 'bound-to-fail'
    | 'unverified-assumption'
    | 'ignored-fields';
  /** What it means, for people. */
  readonly message: string;
}

/** A list with the warning if it applies, else an empty one. */
export const warnIf = <TCode extends HeavenWarning['code']>(
  applies: boolean,
  code: TCode,
  message: string,
): readonly { readonly code: TCode; readonly message: string }[] => (applies ? [{ code, message }] : []);

/** A result with more warnings. */
export const withWarnings = <TResult extends { readonly warnings: readonly HeavenWarning[] }>(
  result: TResult,
  more: readonly HeavenWarning[],
): TResult => (more.length === 0 ? result : { ...result, warnings: [...result.warnings, ...more] });
