import { cellOf } from './cell.ts';

type Row = Record<string, unknown>;

const GAP = '  ';
/** A long text gets at least this many characters, and more if there is room. */
const LEAST_TEXT = 24;

/** The columns of records with an id where the output is no terminal; scripts rely on their order. */
const PIPED = [
  ...['id', 'number', 'seq', 'title', 'name', 'email', 'url', 'content', 'source_id', 'target_id'],
  ...['type', 'event_type', 'action', 'resource_type', 'resource_id', 'status', 'outcome', 'role', 'plan'],
  ...['enabled', 'current', 'created_at', 'logged_at', 'expires_at', 'revoked_at', 'deleted_at'],
];

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Column {
  name: string;
  cells: string[];
  /** The width of the widest cell. */
  width: number;
  least: number;
}

/** The columns that a person looks for first, in this order; the other columns follow by width. */
const FIRST = [
  ...['title', 'name', 'content', 'summary', 'number', 'seq', 'type', 'action', 'status', 'outcome'],
  ...['created_at', 'logged_at', 'deleted_at', 'actor', 'email', 'url', 'role', 'event_type'],
  ...['subject', 'resource_id', 'quality_score'],
];
/** The column that a person needs least: its value is the same in each row. */
const LAST = 'workspace_id';

/**
 * Returns the lines of a table that fits a terminal of `columns` characters: it leaves out the columns of the
 * lowest priority. Without `columns`, tabs separate the columns, which do not depend on the values.
 */
export function tableOf(records: readonly Row[], columns: number | undefined): string[] {
  const names = [...new Set(records.flatMap((row) => Object.keys(row)))];
  if (columns === undefined) {
    const piped = names.includes('id') ? PIPED.filter((name) => names.includes(name)) : names;
    const lines = records.map((row) => piped.map((name) => cellOf(row[name])).join('\t'));
    return [piped.join('\t'), ...lines];
  }
  const rows = records.map(withPlainCells);
  const all = names
    .filter((name) => rows.some((row) => isShown(row[name])))
    .map((name) => columnOf(name, rows));
  const chosen = choose(all, columns);
  const widths = share(chosen, columns);
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => fitted(cell, widths[i]!))
      .join(GAP)
      .trimEnd();
  return [
    line(chosen.map(({ name }) => name.toUpperCase())),
    ...rows.map((_, row) => line(chosen.map(({ cells }) => cells[row]!))),
  ];
}

const isShown = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && typeof value !== 'object';

/** Who did it, as one text: of a key without a name, its prefix. Of what an event is about, the id. */
function withPlainCells(row: Row): Row {
  const { name, key_prefix, type } = (row['actor'] ?? {}) as Row;
  const { id } = (row['subject'] ?? {}) as Row;
  return {
    ...row,
    ...('actor' in row && { actor: name ?? key_prefix ?? type }),
    ...(id !== undefined && { subject: id }),
  };
}

function columnOf(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => {
    const text = cellOf(row[name]);
    return MOMENT.test(text) ? text.slice(0, 16).replace('T', ' ') : text;
  });
  const width = Math.max(name.length, ...cells.map(widthOf));
  const isText = rows.some((row) => typeof row[name] === 'string' && /\s/.test(row[name]));
  return { name, cells, width, least: isText ? Math.min(width, LEAST_TEXT) : width };
}

function choose(all: Column[], columns: number): Column[] {
  const rankOf = ({ name }: Column) =>
    FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length + Number(name === LAST);
  const id = all.find(({ name }) => name === 'id');
  const isNumbered = all.some(({ name }) => name === 'number' || name === 'seq');
  // An id is for copying: it comes first where it leaves room for the rest, else last.
  const isFirst = id && !isNumbered && id.width <= columns / 2;
  const others = all
    .filter((column) => column !== id)
    .sort((a, b) => rankOf(a) - rankOf(b) || a.width - b.width);
  const chosen = new Set<Column>();
  let used = 0;
  for (const column of id ? (isFirst ? [id, ...others] : [...others, id]) : others) {
    const width = column.least + (chosen.size > 0 ? GAP.length : 0);
    if (chosen.size > 0 && used + width > columns) continue;
    chosen.add(column);
    used += width;
  }
  return all.filter((column) => chosen.has(column));
}

/** Gives the remaining width to the texts that need more than their least width. */
function share(chosen: Column[], columns: number): number[] {
  const gaps = GAP.length * (chosen.length - 1);
  let left = columns - gaps - chosen.reduce((sum, { least }) => sum + least, 0);
  return chosen.map(({ least, width }) => {
    const more = Math.max(0, Math.min(width - least, left));
    left -= more;
    return Math.min(least + more, columns);
  });
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;
const NARROW = /^[\x20-\x7e]*$/;

/** The cells of a terminal that a text takes: two for a wide character, none for a combining one. */
function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Returns a text of exactly this width: filled with spaces, or cut with an ellipsis. */
function fitted(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let cut = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const more = widthOf(segment);
    if (used + more > width - 1) break;
    cut += segment;
    used += more;
  }
  return `${cut}…${' '.repeat(width - used - 1)}`;
}
