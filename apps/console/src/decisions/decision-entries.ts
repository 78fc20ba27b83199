import type { Schemas } from '@waymark/client/api';
import { number } from '../texts/format.ts';
import type { Decision, Status } from './decision-words.ts';

export interface Section {
  id: 'title' | 'context' | 'options' | 'reasons' | 'forecast' | 'facts' | 'review' | 'links';
  fields: (keyof DecisionEntries)[];
}

/** The parts of a decision that are written, and edited, together. */
export const SECTIONS: Section[] = [
  { id: 'title', fields: ['title'] },
  { id: 'context', fields: ['question', 'description'] },
  { id: 'options', fields: ['options', 'criteria'] },
  { id: 'reasons', fields: ['resolution', 'rationale'] },
  { id: 'forecast', fields: ['expectedBy', 'forecast'] },
  {
    id: 'facts',
    fields: ['status', 'decisionType', 'tags', 'decidedBy', 'deciders', 'consulted', 'informed'],
  },
  { id: 'review', fields: ['reviewBy', 'reviewEveryMonths'] },
  { id: 'links', fields: ['supersedes', 'relatesTo'] },
];

/** Whether a section says something. */
export function isFilled({ fields }: Section, entries: DecisionEntries): boolean {
  return fields.some((field) => {
    const value = entries[field];
    if (field === 'status') return value !== 'proposed';
    if (typeof value === 'string') return value.trim() !== '';
    return value.some(
      (part) => typeof part === 'string' || (part.title + part.pros + part.cons).trim() !== '',
    );
  });
}

/** Whether a field of a section is in error. */
export const isInError = ({ fields }: Section, errors: object): boolean =>
  Object.keys(errors).some((path) => (fields as string[]).includes(path.split('.')[0]!));

export type DecisionBody = Omit<Schemas['DecisionUpdate'], 'workspaceId'>;

let lastKey = 0;

/** The key identifies an option while it is edited. Pros and cons are one per line. */
export function emptyOption() {
  lastKey += 1;
  return { key: lastKey, title: '', pros: '', cons: '' };
}

/** The values of an empty form. */
export function newEntries() {
  return {
    title: '',
    question: '',
    status: 'proposed' as Status,
    description: '',
    options: [emptyOption(), emptyOption()],
    criteria: '',
    resolution: '',
    rationale: '',
    decisionType: '',
    tags: '',
    expectedBy: '',
    decidedBy: '',
    reviewBy: '',
    reviewEveryMonths: '',
    /** User ids of members, and names of others. */
    ...{ deciders: [] as string[], consulted: [] as string[], informed: [] as string[] },
    /** In percent. */
    forecast: '',
    /** Ids; `supersedes` has at most one. */
    ...{ supersedes: [] as string[], relatesTo: [] as string[] },
  };
}
export type DecisionEntries = ReturnType<typeof newEntries>;

/**
 * The values of a draft, which another version of the console may have written. Fails for values that the
 * form cannot show.
 */
export function revivedEntries(entries: DecisionEntries): DecisionEntries {
  const options = entries.options.map((option) => {
    const empty = emptyOption();
    return withTypesOf(empty, { ...option, key: empty.key });
  });
  return withTypesOf(newEntries(), { ...entries, options });
}

/** Returns the defaults with the given values instead, which must have their types. */
function withTypesOf<T extends object>(defaults: T, values: T): T {
  const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);
  const all = { ...defaults, ...values };
  for (const [name, value] of Object.entries(defaults)) {
    if (kindOf(all[name as keyof T]) !== kindOf(value)) throw new TypeError(`${name} has another type`);
  }
  return all;
}

export function entriesOf(decision: Decision): DecisionEntries {
  return {
    title: decision.title,
    question: decision.question ?? '',
    status: decision.status,
    description: decision.description,
    options: decision.options_considered.map((option) =>
      typeof option === 'string'
        ? { ...emptyOption(), title: option }
        : {
            ...emptyOption(),
            title: option.title,
            pros: option.pros.join('\n'),
            cons: option.cons.join('\n'),
          },
    ),
    criteria: decision.criteria.join('\n'),
    resolution: decision.resolution ?? '',
    rationale: decision.rationale ?? '',
    decisionType: decision.decision_type ?? '',
    tags: decision.tags.join(', '),
    expectedBy: decision.expected_by?.slice(0, 10) ?? '',
    decidedBy: decision.decided_by ?? '',
    reviewBy: decision.review_by?.slice(0, 10) ?? '',
    reviewEveryMonths: decision.review_every_months?.toString() ?? '',
    deciders: decision.deciders,
    consulted: decision.consulted,
    informed: decision.informed,
    forecast:
      decision.outcome_confidence === null
        ? ''
        : number(100 * decision.outcome_confidence, { maximumFractionDigits: 1 }),
    supersedes: decision.supersedes === null ? [] : [decision.supersedes],
    relatesTo: decision.relates_to,
  };
}

/** Returns the values in the API's format, with null for empty ones. */
export function bodyOf(entries: DecisionEntries) {
  return {
    title: entries.title.trim(),
    question: textOrNull(entries.question),
    status: entries.status,
    description: entries.description.trim(),
    optionsConsidered: entries.options
      .filter(({ title }) => title.trim() !== '')
      .map(({ title, pros, cons }) => ({ title: title.trim(), pros: linesOf(pros), cons: linesOf(cons) })),
    criteria: linesOf(entries.criteria),
    resolution: textOrNull(entries.resolution),
    rationale: textOrNull(entries.rationale),
    decisionType: textOrNull(entries.decisionType),
    tags: [...new Set(partsOf(entries.tags, ','))],
    expectedBy: textOrNull(entries.expectedBy),
    decidedBy: textOrNull(entries.decidedBy),
    reviewBy: textOrNull(entries.reviewBy),
    reviewEveryMonths: entries.reviewEveryMonths === '' ? null : Number(entries.reviewEveryMonths),
    deciders: entries.deciders,
    consulted: entries.consulted,
    informed: entries.informed,
    outcomeConfidence: entries.forecast.trim() === '' ? null : percentOf(entries.forecast) / 100,
    supersedes: entries.supersedes[0] ?? null,
    relatesTo: entries.relatesTo,
  } satisfies DecisionBody;
}

/**
 * Returns the fields in which the second differs from the first, so that edits of different fields do not
 * conflict.
 */
export function changedBody(before: DecisionEntries, after: DecisionEntries): DecisionBody {
  const old: Record<string, unknown> = bodyOf(before);
  const changed = Object.entries(bodyOf(after)).filter(
    ([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}

/** Parses a number with a decimal comma or point. Returns NaN for other text and 0 for an empty one. */
export function percentOf(text: string): number {
  return Number(text.trim().replace(/^(\d*),(\d{1,2})$/, '$1.$2'));
}

function textOrNull(text: string): string | null {
  return text.trim() || null;
}

function linesOf(text: string): string[] {
  return partsOf(text, '\n');
}

function partsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
