import type { Decision } from '@waymark/contracts';
import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';

const REFRESH_SECONDS = 3_600;
const DESCRIPTION_CHARACTERS = 500;
/** How a date without a time is stored: it is meant as a day, not as a moment. */
const END_OF_DAY = 'T23:59:59.999Z';

/**
 * An iCalendar (RFC 5545) of decisions whose outcome is to be logged, an event each: all day where only a date was given,
 * else at that moment. It takes up nobody's time. CRLF, folded at 75 octets, text escaped.
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
    // Without an end it takes one day (RFC 5545, 3.6.1); the day behind the last of a year of four digits has no name.
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

function descriptionOf({
  question,
  title,
  description,
  status,
  decided_by,
  quality_score,
}: Decision): string {
  const text = description.slice(0, DESCRIPTION_CHARACTERS).toWellFormed();
  return [
    question !== null && question !== title ? question : '',
    description.length > DESCRIPTION_CHARACTERS ? `${text}…` : text,
    `Status: ${status}; quality: ${quality_score}${decided_by === null ? '' : `; decided by ${decided_by}`}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Text without the control characters that RFC 5545, 3.1 has no place for. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
}
