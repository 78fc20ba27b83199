import type { Decision, DecisionOption, Quality } from '@waymark/contracts';
import { fold, mentionIn } from './mentions.ts';

/**
 * The fields that dq-1 scores. The model only uses whether there is an outcome; its success does not count.
 */
export type ScoredFields = Pick<
  Decision,
  | 'title'
  | 'question'
  | 'description'
  | 'resolution'
  | 'rationale'
  | 'options_considered'
  | 'criteria'
  | 'decision_type'
  | 'tags'
  | 'expected_by'
  | 'decided_by'
  | 'outcome'
  | 'outcome_confidence_kind'
>;

interface Option {
  name: string;
  pros: string[];
  cons: string[];
}

type Component = Quality['components'][number];

/** One row of the model: the points out of its maximum, and how to get the others. */
interface Row {
  max: number;
  points: number;
  /** Null when the points cannot rise any more. */
  action: string | null;
}

const DESCRIPTION_CHARACTERS = 200;
const RATIONALE_CHARACTERS = 300;
const CAP = 50;
const LINK = /https?:\/\/[^\s/?#.]/i;

/**
 * Scores a decision with the model dq-1, which DESIGN.md defines: 0 to 100 for how well it was made, whatever
 * its outcome. Components are in points; `raise` lists the actions that would add the missing points.
 */
export function scoreDecision(fields: ScoredFields, { forecastOpen = isForecastOpen(fields) } = {}): Quality {
  const options = distinctOptions(fields.options_considered);
  const components = [
    component('frame', frame(fields)),
    component('alternatives', alternatives(options)),
    component('information', information(fields, options)),
    component('trade_offs', tradeOffs(fields, options)),
    component('reasoning', reasoning(fields, options)),
    component('commitment', commitment(fields)),
    component('learnability', learnability(fields, forecastOpen)),
  ];
  const pointsOf = (name: Component['name']) => components.find((c) => c.name === name)!.points;
  const isHollow = pointsOf('frame') === 0 || options.length < 2 || pointsOf('reasoning') === 0;
  const sum = Math.round(inDecimals(components.reduce((total, c) => total + c.points, 0)));
  const capped = isHollow && sum > CAP;
  return { model: 'dq-1', score: capped ? CAP : sum, capped, components };
}

function isForecastOpen(fields: ScoredFields): boolean {
  return fields.outcome === 'pending';
}

function frame({ title, question, description }: ScoredFields): Row[] {
  const words = Math.max(wordsIn(title), wordsIn(question ?? ''));
  return [
    {
      max: 5,
      points: words >= 4 ? 5 : words >= 2 ? 2 : 0,
      action: 'Word the title or the question in four words or more.',
    },
    {
      max: 10,
      points: lengthPoints(description, DESCRIPTION_CHARACTERS),
      action: `Describe the situation in ${DESCRIPTION_CHARACTERS} characters or more.`,
    },
  ];
}

function alternatives(options: Option[]): Row[] {
  return [
    { max: 14, points: [0, 4][options.length] ?? 14, action: 'Consider at least two distinct options.' },
    { max: 6, points: options.length >= 3 ? 6 : 0, action: 'Consider a third option.' },
  ];
}

function information({ description, resolution, rationale }: ScoredFields, options: Option[]): Row[] {
  const weighed = options.filter((option) => option.pros.length > 0 && option.cons.length > 0);
  const texts = [
    description,
    resolution,
    rationale,
    ...options.flatMap(({ pros, cons }) => [...pros, ...cons]),
  ];
  return [
    {
      max: 10,
      points: options.length === 0 ? 0 : (10 * weighed.length) / options.length,
      action: 'Give every option a pro and a con.',
    },
    {
      max: 5,
      points: texts.some((text) => text !== null && LINK.test(text)) ? 5 : 0,
      action: 'Link to evidence in the description, the rationale, or a pro or con.',
    },
  ];
}

function tradeOffs({ criteria, resolution }: ScoredFields, options: Option[]): Row[] {
  const named = new Set(criteria.map(fold).filter((criterion) => criterion !== '')).size;
  const chosen = chosenOption(options, resolution);
  return [
    { max: 5, points: named >= 2 ? 5 : named === 1 ? 2 : 0, action: 'Name at least two criteria.' },
    {
      max: 5,
      points: chosen && chosen.cons.length > 0 ? 5 : 0,
      action: chosen
        ? 'List a con of the chosen option.'
        : 'Name the chosen option in the resolution, and list a con of it.',
    },
  ];
}

function reasoning({ rationale, resolution }: ScoredFields, options: Option[]): Row[] {
  const reasons = fold(rationale ?? '');
  const named = options.filter((option) => mentionIn(reasons, option.name) >= 0).length;
  return [
    {
      max: 10,
      points: lengthPoints(rationale ?? '', RATIONALE_CHARACTERS),
      action: `Give the rationale in ${RATIONALE_CHARACTERS} characters or more.`,
    },
    { max: 5, points: (resolution ?? '').trim() === '' ? 0 : 5, action: 'State the resolution.' },
    {
      max: 5,
      points: named >= 2 ? 5 : named === 1 ? 2 : 0,
      action: 'Name at least two of the options in the rationale.',
    },
  ];
}

function commitment({ expected_by, decided_by }: ScoredFields): Row[] {
  return [
    { max: 5, points: expected_by === null ? 0 : 5, action: 'Say by when the outcome is expected.' },
    { max: 5, points: (decided_by ?? '').trim() === '' ? 0 : 5, action: 'Say who decided.' },
  ];
}

function learnability(fields: ScoredFields, forecastOpen: boolean): Row[] {
  return [
    {
      max: 6,
      points: fields.outcome_confidence_kind === 'forecast' ? 6 : 0,
      action: forecastOpen ? 'State your confidence in success before the outcome is known.' : null,
    },
    {
      max: 2,
      points: (fields.decision_type ?? '').trim() === '' ? 0 : 2,
      action: 'Give the decision a type.',
    },
    { max: 2, points: fields.tags.length === 0 ? 0 : 2, action: 'Tag the decision.' },
  ];
}

function component(name: Component['name'], rows: Row[]): Component {
  return {
    name,
    points: inDecimals(rows.reduce((total, row) => total + row.points, 0)),
    max: rows.reduce((total, row) => total + row.max, 0),
    raise: rows.flatMap(({ max, points, action }) =>
      action !== null && points < max ? [{ points: inDecimals(max - points), action }] : [],
    ),
  };
}

/** Rounds to four decimals: thirds stay readable, and sums are the same on every machine. */
function inDecimals(points: number): number {
  return Math.round(points * 10_000) / 10_000;
}

function lengthPoints(text: string, enoughCharacters: number): number {
  return 10 * Math.min(1, text.trim().length / enoughCharacters);
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns the options by name; an option that is given twice has the pros and cons of both. */
function distinctOptions(given: readonly DecisionOption[]): Option[] {
  const byName = new Map<string, Option>();
  for (const option of given) {
    const { title, pros, cons } = typeof option === 'string' ? { title: option, pros: [], cons: [] } : option;
    const name = fold(title);
    if (name === '') continue;
    const known = byName.get(name);
    byName.set(name, {
      name,
      pros: [...(known?.pros ?? []), ...pros],
      cons: [...(known?.cons ?? []), ...cons],
    });
  }
  return [...byName.values()];
}

/**
 * Returns the option that the resolution names first; of two that begin at the same position ("Go", "Go
 * kit"), the longer.
 */
function chosenOption(options: Option[], resolution: string | null): Option | undefined {
  const text = fold(resolution ?? '');
  return options
    .map((option) => ({ option, at: mentionIn(text, option.name) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.option.name.length - a.option.name.length)[0]?.option;
}
