/** A share from 0 to 1 as a reader takes it; a dash where there is none. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}
