/** Formats a share from 0 to 1 in percent, or a dash for none. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}
