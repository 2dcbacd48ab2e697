/** The lamports that make an account of this many bytes rent-exempt: for two years, and 128 bytes that each account costs. */
export const rentExemption = (size: number): bigint => (BigInt(size) + 128n) * 6_960n;
