import { computeRentExemption } from '../../solana/rent.js';

/**
 * Of the largest token account that Token-2022 makes by itself: 165 bytes, the account type, and the extensions that a mint
 * may ask for (immutable owner 4, transfer fee 12, non-transferable 4, transfer hook 5, pausable 4).
 */
export const TOKEN_2022_ACCOUNT_RENT = /* @__PURE__ */ computeRentExemption(195, 6_960n);
