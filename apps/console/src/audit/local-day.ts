/** Returns the start of a local day, plus some days, in the API's format. */
export function startOfDay(day: string | undefined, daysOn = 0): string | undefined {
  if (!day) return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysOn);
  return date.toISOString();
}

export function localDay(time: string | undefined, daysOn = 0): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  date.setDate(date.getDate() + daysOn);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
