import { WAITING_COUNTED_MAX } from '@waymark/service-kit/store';
import type { Away, Observations, ServiceObservation } from './observe.ts';
import { severities } from './severities.ts';

/** The alerts of docs/operating/alerts.md. */
type Alert = keyof typeof severities;
/** Subjects without an alert. */
type Area = 'Access' | 'Migrations' | 'Restore' | 'Secrets' | 'Stores';

/** A problem, in the words of the alert of that name, and its fix. */
export interface Finding {
  level: 'critical' | 'warning';
  topic: Alert | Area;
  summary: string;
  fix: string;
}

const SECOND_MS = 1_000;
/** The limit of the alert WaymarkClocksDiffer. */
export const SKEW_MAX_MS = 5 * SECOND_MS;

export const isAway = <T>(observed: T | Away): observed is Away =>
  typeof observed === 'object' && observed !== null && 'away' in observed;

/** The time by MongoDB's clock, as it is in records. */
export const databaseNowMs = ({ atMs, mongo }: Pick<Observations, 'atMs' | 'mongo'>): number =>
  isAway(mongo) ? atMs : atMs - mongo.aheadMs;

export const outboxCount = ({ outboxPending }: ServiceObservation): string =>
  outboxPending < WAITING_COUNTED_MAX
    ? String(outboxPending)
    : `at least ${WAITING_COUNTED_MAX.toLocaleString('en')}`;

/** A finding with the name and the severity of an alert. */
export function alert(topic: Alert, summary: string, fix: string): Finding {
  return { level: severities[topic], topic, summary, fix };
}

export function critical(topic: Area, summary: string, fix: string): Finding {
  return { level: 'critical', topic, summary, fix };
}

export function warning(topic: Area, summary: string, fix: string): Finding {
  return { level: 'warning', topic, summary, fix };
}

export function seconds(ms: number): string {
  const whole = Math.round(Math.abs(ms) / SECOND_MS);
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
