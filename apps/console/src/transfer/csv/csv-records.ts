import { decisionTexts } from '../../texts/decision.ts';
import { list } from '../../texts/format.ts';
import { transferTexts } from '../../texts/transfer.ts';
import { wordsTexts } from '../../texts/words.ts';
import { derivedId } from './derived-id.ts';
import type { Csv } from './parse-csv.ts';

const LISTS = ['options_considered', 'criteria', 'tags', 'deciders', 'consulted', 'informed'] as const;
const TIMES = ['expected_by', 'review_by', 'created_at'] as const;
const WORDS = ['status', 'outcome'] as const;
const NUMBERS = ['review_every_months', 'outcome_confidence'] as const;

/** The fields of a decision that a column can have. */
export const FIELDS = [
  ...(['title', 'question', 'description', 'resolution', 'rationale', 'decision_type'] as const),
  ...LISTS,
  ...TIMES,
  ...WORDS,
  ...NUMBERS,
  ...(['decided_by', 'outcome_notes', 'external_id', 'id'] as const),
];
export type Field = (typeof FIELDS)[number];

export const labelOf = (field: string) => decisionTexts.field(field);

/** Returns the rule that a cell breaks in a field of days or of fixed words; null in every other case. */
export function expectedIn(field: Field, cell: string | undefined): string | null {
  const t = transferTexts.csv.expected;
  const text = textOf(cell);
  if (isAmong(TIMES, field)) return timeOf(text) === null ? t.day : null;
  if (!isAmong(WORDS, field) || wordOf(field, text) !== null) return null;
  return t.word(list(Object.values(wordsTexts[field]), 'disjunction'));
}

/** Guesses the field of each column by its heading; null leaves the column out. */
export function guessFields(header: readonly string[]): (Field | null)[] {
  const left = new Set<Field>(FIELDS);
  return header.map((heading) => {
    const found = [...left].find((field) => [field, labelOf(field)].some((name) => isLike(name, heading)));
    if (found) left.delete(found);
    return found ?? null;
  });
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const isLike = (name: string, heading: string) => lettersOf(name) === lettersOf(heading);

/**
 * Returns the rows as an exported workspace, which an import takes. A cell that is no value of its field
 * stays as it is: the import reports it. A row has the same id each time: a file can be imported again.
 */
export function importFileOf(
  { rows }: Csv,
  fields: readonly (Field | null)[],
  { id: workspaceId, name, userId }: { id: string; name: string; userId: string },
): Blob {
  const now = new Date().toISOString();
  const seen = new Map<string, number>();
  const parts = rows.map(({ cells }, at) => {
    const values = valuesOf(cells, fields);
    const { external_id } = values;
    const text = JSON.stringify(external_id === undefined ? values : { external_id });
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    const created_at = values['created_at'] ?? now;
    const record = {
      id: derivedId(`${workspaceId} ${external_id === undefined ? count : ''} ${text}`),
      ...{ workspace_id: workspaceId, created_by: userId, quality_score: 0, version: 1 },
      title: values['question'],
      ...values,
      ...{ created_at, updated_at: created_at },
    };
    return (at === 0 ? '' : ',') + JSON.stringify(record);
  });
  const head = JSON.stringify({ schema_version: 1, workspace: { id: workspaceId, name } }).slice(0, -1);
  const counts = JSON.stringify({ decisions: rows.length });
  return new Blob([head, ',"decisions":[', ...parts, `],"counts":${counts}}`], { type: 'application/json' });
}

function valuesOf(cells: readonly string[], fields: readonly (Field | null)[]): Record<string, unknown> {
  const values = fields.flatMap((field, at): [string, unknown][] => {
    const text = textOf(cells[at]);
    return field === null || text === '' ? [] : [[field, valueIn(field, text)]];
  });
  const found = Object.fromEntries(values);
  if (found['outcome_confidence'] === undefined) return found;
  const isOpen = (found['outcome'] ?? 'pending') === 'pending';
  return { ...found, outcome_confidence_kind: isOpen ? 'forecast' : 'retrospective' };
}

/** The apostrophes that an export (csv.ts of the decisions service) writes before what could be a formula. */
const ESCAPES =
  /(?<=^|[;\t])'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^'(?='*[\t\r\n])|(?<=[\r\n])'(?=['"]*(?![-+] [^(|!\r\n]*(?:[\r\n]|(?<=[\p{L}\p{N}.])$))[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const textOf = (cell = '') => cell.replace(ESCAPES, '').trim();

const isAmong = <T extends Field>(fields: readonly T[], field: string): field is T =>
  (fields as readonly string[]).includes(field);

function valueIn(field: Field, text: string): unknown {
  if (isAmong(LISTS, field)) return listOf(field, text);
  if (isAmong(TIMES, field)) return timeOf(text) ?? text;
  if (isAmong(WORDS, field)) return wordOf(field, text) ?? text;
  return isAmong(NUMBERS, field) ? numberOf(field, text) : text;
}

function wordOf(field: (typeof WORDS)[number], text: string): string | null {
  const words = Object.entries(wordsTexts[field]);
  return words.find((names) => names.some((name) => isLike(name, text)))?.[0] ?? null;
}

/** JSON as an export writes it, lines, or what is between semicolons; short names also between commas. */
function listOf(field: (typeof LISTS)[number], text: string): unknown {
  try {
    const list: unknown = text.startsWith('[') && JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // It is a text that begins with a bracket.
  }
  const isShort = field !== 'options_considered' && field !== 'criteria';
  const separator = [/[\r\n]+/, /;/, ...(isShort ? [/,/] : [])].find((one) => one.test(text));
  const parts = separator ? text.split(separator) : [text];
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

/** A day as 2026-05-31 or 31.05.2026, or a time. */
function timeOf(text: string): string | null {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const iso = day ? `${year}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
  const time = /^\d{4}-\d{2}-\d{2}/.test(iso) ? new Date(iso) : new Date(Number.NaN);
  // The 31st of June would become the 1st of July.
  const isDay = !Number.isNaN(time.getTime()) && (iso.length > 10 || time.toISOString().startsWith(iso));
  return isDay ? time.toISOString() : null;
}

/** A share from 0 to 1, or in percent: 0.7, 70 or 70 %. */
function numberOf(field: (typeof NUMBERS)[number], text: string): unknown {
  const plain = text.replace(/%$/, '').trimEnd().replace(',', '.');
  const number = Number(plain);
  if (plain === '' || Number.isNaN(number)) return text;
  const isPercent = field === 'outcome_confidence' && (plain !== text.replace(',', '.') || number > 1);
  return isPercent ? number / 100 : number;
}
