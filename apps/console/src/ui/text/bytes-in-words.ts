import { number } from '../../texts/format.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** Formats a size: 12.3 kB. */
export function bytesInWords(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return number(bytes / 1_000 ** step, {
    style: 'unit',
    unit: UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
}
