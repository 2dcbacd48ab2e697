// How the commands show numbers. Nothing here loads kit.

/** `1234567.5` -> `1,234,567.5`. */
export const grouped = (digits: string): string => {
  const [whole = '', fraction] = digits.split('.');
  const withCommas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
};

/** Seconds as a readable duration. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const;
  for (const [size, unit] of units) {
    if (seconds >= 2 * size) return `${grouped(String(Math.round(seconds / size)))} ${unit}`;
  }
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}
