/**
 * The lamports that make an account of this many bytes rent-exempt: for two years, and 128 bytes that each account costs.
 * @example
 * ```ts
 * computeRentExemption(165); // 2039280n
 * ```
 */
export const computeRentExemption = (size: number): bigint => (BigInt(size) + 128n) * 6_960n;
