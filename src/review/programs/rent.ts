/**
 * The largest token account that Token-2022 makes by itself: 165 bytes, the account type, and the extensions that a mint
 * may ask for (immutable owner 4, transfer fee 12, non-transferable 4, transfer hook 5, pausable 4).
 */
export const TOKEN_2022_ACCOUNT_SIZE = 195;
