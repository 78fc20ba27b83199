const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** Formats a size: 12.3 kB. */
export function bytesInWords(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const size = (bytes / 1_000 ** step).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return `${size} ${UNITS[step]}`;
}
