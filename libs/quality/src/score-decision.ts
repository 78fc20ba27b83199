import type { Decision, DecisionOption, Quality } from '@waymark/contracts';
import { fold, mentionIn } from './mentions.ts';

export type { Quality };

/** The fields that dq-1 scores. It only uses whether there is an outcome; its success does not count. */
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

type Option = Exclude<DecisionOption, string>;
type Component = Quality['components'][number];

const DESCRIPTION_CHARACTERS = 200;
const RATIONALE_CHARACTERS = 300;

/** The actions that raise a score, in English, as the API returns them. */
const ACTIONS = {
  wording: 'Word the title or the question in four words or more.',
  describe: `Describe the situation in ${DESCRIPTION_CHARACTERS} characters or more.`,
  twoOptions: 'Consider at least two distinct options.',
  thirdOption: 'Consider a third option.',
  weigh: 'Give every option a pro and a con.',
  evidence: 'Link to evidence in the description, the rationale, or a pro or con.',
  conOfChosen: 'List a con of the chosen option.',
  nameChosen: 'Name the chosen option in the resolution, and list a con of it.',
  criteria: 'Name at least two criteria.',
  rationale: `Give the rationale in ${RATIONALE_CHARACTERS} characters or more.`,
  resolution: 'State the resolution.',
  nameOptions: 'Name at least two of the options in the rationale.',
  expectedBy: 'Say by when the outcome is expected.',
  decidedBy: 'Say who decided.',
  forecast: 'State your confidence in success before the outcome is known.',
  type: 'Give the decision a type.',
  tag: 'Tag the decision.',
} as const;
export type RaisingAction = (typeof ACTIONS)[keyof typeof ACTIONS];

/** Points out of a maximum, and how to get the others; null when they cannot rise any more. */
interface Row {
  max: number;
  points: number;
  action: RaisingAction | null;
}
const row = (max: number, points: number, action: RaisingAction | null): Row => ({ max, points, action });

const CAP = 50;
const LINK = /https?:\/\/[^\s/?#.]/i;

/**
 * Scores a decision with the model dq-1, which DESIGN.md defines: 0 to 100 for how well it was made, whatever
 * its outcome. Components are in points; `raise` lists the actions that would add the missing points.
 */
export function scoreDecision(
  fields: ScoredFields,
  { forecastOpen = fields.outcome === 'pending' } = {},
): Quality {
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

function frame({ title, question, description }: ScoredFields): Row[] {
  const words = Math.max(wordsIn(title), wordsIn(question ?? ''));
  const described = lengthPoints(description, DESCRIPTION_CHARACTERS);
  return [row(5, [0, 0, 2, 2][words] ?? 5, ACTIONS.wording), row(10, described, ACTIONS.describe)];
}

function alternatives(options: Option[]): Row[] {
  return [
    row(14, [0, 4][options.length] ?? 14, ACTIONS.twoOptions),
    row(6, options.length >= 3 ? 6 : 0, ACTIONS.thirdOption),
  ];
}

function information({ description, resolution, rationale }: ScoredFields, options: Option[]): Row[] {
  const weighed = options.filter((option) => option.pros.length > 0 && option.cons.length > 0);
  const prosAndCons = options.flatMap(({ pros, cons }) => [...pros, ...cons]);
  const isLinked = [description, resolution, rationale, ...prosAndCons].some((text) => LINK.test(text ?? ''));
  return [
    row(10, (10 * weighed.length) / Math.max(1, options.length), ACTIONS.weigh),
    row(5, isLinked ? 5 : 0, ACTIONS.evidence),
  ];
}

function tradeOffs({ criteria, resolution }: ScoredFields, options: Option[]): Row[] {
  const named = new Set(criteria.map(fold).filter((criterion) => criterion !== '')).size;
  const chosen = chosenOption(options, resolution);
  const action = chosen ? ACTIONS.conOfChosen : ACTIONS.nameChosen;
  return [
    row(5, [0, 2][named] ?? 5, ACTIONS.criteria),
    row(5, chosen && chosen.cons.length > 0 ? 5 : 0, action),
  ];
}

function reasoning({ rationale, resolution }: ScoredFields, options: Option[]): Row[] {
  const reasons = fold(rationale ?? '');
  const reasoned = lengthPoints(rationale ?? '', RATIONALE_CHARACTERS);
  const named = options.filter(({ title }) => mentionIn(reasons, title) >= 0).length;
  return [
    row(10, reasoned, ACTIONS.rationale),
    row(5, isBlank(resolution) ? 0 : 5, ACTIONS.resolution),
    row(5, [0, 2][named] ?? 5, ACTIONS.nameOptions),
  ];
}

function commitment({ expected_by, decided_by }: ScoredFields): Row[] {
  return [
    row(5, expected_by === null ? 0 : 5, ACTIONS.expectedBy),
    row(5, isBlank(decided_by) ? 0 : 5, ACTIONS.decidedBy),
  ];
}

function learnability(fields: ScoredFields, forecastOpen: boolean): Row[] {
  const isForecast = fields.outcome_confidence_kind === 'forecast';
  const action = forecastOpen ? ACTIONS.forecast : null;
  return [
    row(6, isForecast ? 6 : 0, action),
    row(2, isBlank(fields.decision_type) ? 0 : 2, ACTIONS.type),
    row(2, fields.tags.length === 0 ? 0 : 2, ACTIONS.tag),
  ];
}

function component(name: Component['name'], rows: Row[]): Component {
  return {
    name,
    points: inDecimals(rows.reduce((total, { points }) => total + points, 0)),
    max: rows.reduce((total, { max }) => total + max, 0),
    raise: rows.flatMap(({ max, points, action }) =>
      action !== null && points < max ? [{ points: inDecimals(max - points), action }] : [],
    ),
  };
}

function isBlank(text: string | null): boolean {
  return (text ?? '').trim() === '';
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

/** Returns the options with folded titles; one that is given twice has the pros and cons of both. */
function distinctOptions(given: readonly DecisionOption[]): Option[] {
  const byTitle = new Map<string, Option>();
  for (const option of given) {
    const { title, pros, cons } = typeof option === 'string' ? { title: option, pros: [], cons: [] } : option;
    const folded = fold(title);
    if (folded === '') continue;
    const known = byTitle.get(folded);
    const merged = { pros: [...(known?.pros ?? []), ...pros], cons: [...(known?.cons ?? []), ...cons] };
    byTitle.set(folded, { title: folded, ...merged });
  }
  return [...byTitle.values()];
}

/** Returns the option that the resolution names first; at the same position ("Go", "Go kit"), the longer. */
function chosenOption(options: Option[], resolution: string | null): Option | undefined {
  const text = fold(resolution ?? '');
  return options
    .map((option) => ({ option, at: mentionIn(text, option.title) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.option.title.length - a.option.title.length)[0]?.option;
}
