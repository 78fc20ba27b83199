import type { Decision } from '@waymark/contracts';
import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';

const REFRESH_SECONDS = 3_600;
const DESCRIPTION_CHARACTERS = 500;
/** A date without a time is stored as the end of that day. */
const END_OF_DAY = 'T23:59:59.999Z';

/**
 * Returns an iCalendar (RFC 5545) with a transparent event for each decision whose outcome is expected: all
 * day if only a date was given, else at that time.
 */
export function calendarOf(due: { overdue: readonly Decision[]; upcoming: readonly Decision[] }): string {
  const calendar = ical({
    name: 'Waymark: decisions',
    prodId: { company: 'Waymark', product: 'Decisions', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  });
  for (const decision of due.overdue) calendar.createEvent(eventOf(decision, 'Overdue'));
  for (const decision of due.upcoming) calendar.createEvent(eventOf(decision, 'Outcome expected'));
  return calendar.toString();
}

function eventOf(decision: Decision, prefix: string) {
  const dueAt = decision.expected_by ?? decision.created_at;
  const isDay = dueAt.endsWith(END_OF_DAY);
  const start = new Date(isDay ? `${dueAt.slice(0, 10)}T00:00:00.000Z` : dueAt);
  return {
    id: `${decision.id}@waymark`,
    summary: printable(`${prefix}: ${decision.title}`),
    description: printable(descriptionOf(decision)),
    start,
    // Without an end it takes one day (RFC 5545, 3.6.1). An end after 9999-12-31 could not be written.
    ...(isDay && { allDay: true }),
    timezone: 'UTC',
    stamp: new Date(decision.updated_at),
    created: new Date(decision.created_at),
    lastModified: new Date(decision.updated_at),
    sequence: decision.version - 1,
    transparency: ICalEventTransparency.TRANSPARENT,
    categories: decision.tags.map((tag) => ({ name: printable(tag) })),
  };
}

function descriptionOf(decision: Decision): string {
  const { question, title, description, status, decided_by, quality_score } = decision;
  const text = description.slice(0, DESCRIPTION_CHARACTERS).toWellFormed();
  const lines = [
    question === title ? null : question,
    description.length > DESCRIPTION_CHARACTERS ? `${text}…` : text,
    `Status: ${status}; quality: ${quality_score}${decided_by === null ? '' : `; decided by ${decided_by}`}`,
  ];
  return lines.filter(Boolean).join('\n');
}

/** Removes the control characters that RFC 5545, 3.1 does not allow. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
}
