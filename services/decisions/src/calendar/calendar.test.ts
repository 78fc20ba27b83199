import { describe, expect, it } from '@jest/globals';
import { type Decision, newId } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import { calendarOf } from './calendar.ts';

const decision = (given: Partial<Decision> = {}) =>
  sampleDecision({
    expected_by: '2027-03-01T23:59:59.999Z',
    quality_score: 12,
    version: 3,
    updated_at: '2026-11-02T09:30:15.123Z',
    ...given,
  });

const linesOf = (text: string) => text.split('\r\n');
/** Lines as they were before they were folded (RFC 5545, 3.1). */
const unfolded = (text: string) => linesOf(text.replaceAll('\r\n ', ''));
const upcoming = (fields?: Partial<Decision>) => calendarOf({ overdue: [], upcoming: [decision(fields)] });

describe('calendarOf', () => {
  it('is a calendar without events where nothing is due', () => {
    const lines = unfolded(calendarOf({ overdue: [], upcoming: [] }));
    expect(lines[0]).toBe('BEGIN:VCALENDAR');
    expect(lines).toEqual(expect.arrayContaining(['VERSION:2.0', 'METHOD:PUBLISH', 'END:VCALENDAR']));
    expect(lines).not.toContain('BEGIN:VEVENT');
  });

  it('shows a date as a whole day, and a date-time as a point in time', () => {
    const day = unfolded(upcoming());
    expect(day).toContain('DTSTART;VALUE=DATE:20270301');
    expect(day.some((line) => line.startsWith('DTEND'))).toBe(false);
    const last = unfolded(upcoming({ expected_by: '9999-12-31T23:59:59.999Z' }));
    expect(last).toContain('DTSTART;VALUE=DATE:99991231');
    const moment = unfolded(upcoming({ expected_by: '2027-03-01T17:30:00.000Z' }));
    expect(moment).toContain('DTSTART:20270301T173000Z');
    expect(moment.some((line) => line.startsWith('DTEND'))).toBe(false);
  });

  it('identifies each event by its decision, so that a change moves the event and adds no second one', () => {
    const id = newId();
    const lines = unfolded(upcoming({ id }));
    const expected = ['DTSTAMP:20261102T093015Z', 'LAST-MODIFIED:20261102T093015Z', 'SEQUENCE:2'];
    expect(lines).toEqual(expect.arrayContaining([`UID:${id}@waymark`, 'TRANSP:TRANSPARENT', ...expected]));
  });

  it('distinguishes overdue from upcoming decisions', () => {
    const text = calendarOf({
      overdue: [decision({ title: 'Late' })],
      upcoming: [decision({ title: 'Soon' })],
    });
    const summaries = unfolded(text).filter((line) => line.startsWith('SUMMARY'));
    expect(summaries).toEqual(['SUMMARY:Overdue: Late', 'SUMMARY:Outcome expected: Soon']);
  });

  it('escapes text, so that none of it becomes a property', () => {
    const lines = unfolded(
      upcoming({
        title: 'a;b,c\\d\r\nEND:VEVENT',
        description: 'one\ntwo\rthree',
        question: 'Why?',
        tags: ['x,y', 'z'],
      }),
    );
    expect(lines).toContain('SUMMARY:Outcome expected: a\\;b\\,c\\\\d\\nEND:VEVENT');
    expect(lines.find((line) => line.startsWith('DESCRIPTION'))).toBe(
      'DESCRIPTION:Why?\\none\\ntwo\\nthree\\nStatus: proposed\\; quality: 12',
    );
    expect(lines).toContain('CATEGORIES:x\\,y,z');
    expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
  });

  it('has no control characters', () => {
    const text = upcoming({ title: 'be\u0007ll\u000b \u001b[31m\u007f', tags: ['t\u0001'] });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\x00-\x1f\x7f]/);
  });

  it.each([
    ['Latin', 'A long title, again and again. '],
    ['umlauts', 'äöüß'],
    ['Japanese', '決定の記録'],
    ['emoji of several code points', '👩‍👩‍👧‍👦🇩🇪'],
  ])('folds lines at 75 octets, ends them with CRLF and breaks no character: %s', (_, piece) => {
    const title = piece.repeat(12);
    const text = upcoming({ title, description: piece.repeat(80) });
    for (const line of linesOf(text)) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\r\n]/);
      expect(line.isWellFormed()).toBe(true);
    }
    const escaped = `Outcome expected: ${title}`.replaceAll(',', '\\,');
    expect(unfolded(text).find((line) => line.startsWith('SUMMARY'))).toBe(`SUMMARY:${escaped}`);
  });
});
