import type { operations } from '@waymark/client/api';

const NAMES = ['action', 'resourceType', 'resourceId', 'actor', 'ip', 'from', 'to'] as const;

type Query = NonNullable<operations['listAuditLog']['parameters']['query']>;
export type AuditFilters = Pick<Query, (typeof NAMES)[number]>;

/** The filters of the audit log as URL parameters. */
export function auditFiltersOf(search: Record<string, unknown>): AuditFilters {
  // The API refuses values that it does not know.
  const filters: { [name: string]: string } = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') filters[name] = value;
  }
  return filters;
}

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
