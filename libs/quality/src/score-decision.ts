import type { Decision, DecisionOption, Quality, QualityModel } from '@waymark/contracts';
import { fold, mentionIn } from './mentions.ts';
import { distinctWords, listItems, wordPoints } from './words.ts';

export type { Quality, QualityModel };

/** The fields that are scored. Of the outcome, only whether there is one counts, not its success. */
export type ScoredFields = Pick<
  Decision,
  | 'title'
  | 'question'
  | 'description'
  | 'status'
  | 'resolution'
  | 'rationale'
  | 'options_considered'
  | 'criteria'
  | 'decision_type'
  | 'tags'
  | 'expected_by'
  | 'decided_by'
  | 'deciders'
  | 'outcome'
  | 'outcome_confidence_kind'
>;

type Option = Exclude<DecisionOption, string>;
type Component = Quality['components'][number];

const DESCRIPTION_CHARACTERS = 200;
const RATIONALE_CHARACTERS = 300;
const DESCRIPTION_WORDS = 30;
const REASON_WORDS = 40;

/** The actions that raise a score, in English, as the API returns them. */
const ACTIONS = {
  wording: 'Word the title or the question in four words or more.',
  describe: `Describe the situation in ${DESCRIPTION_CHARACTERS} characters or more.`,
  describeInWords: `Describe the situation in ${DESCRIPTION_WORDS} different words or more.`,
  twoOptions: 'Consider at least two distinct options.',
  recordOptions: 'Record as options what the text lists.',
  thirdOption: 'Consider a third option.',
  weigh: 'Give every option a pro and a con.',
  evidence: 'Link to evidence in the description, the rationale, or a pro or con.',
  conOfChosen: 'List a con of the chosen option.',
  nameChosen: 'Name the chosen option in the resolution, and list a con of it.',
  criteria: 'Name at least two criteria.',
  rationale: `Give the rationale in ${RATIONALE_CHARACTERS} characters or more.`,
  reasonInWords: `Give the reasons in ${REASON_WORDS} different words or more.`,
  resolution: 'State the resolution.',
  nameOptions: 'Name at least two of the options in the rationale.',
  expectedBy: 'Say by when the outcome is expected.',
  decidedBy: 'Say who decided.',
  status: 'Accept or reject the decision.',
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
 * Scores a decision: 0 to 100 for how well it was made, whatever its outcome. Components are in points;
 * `raise` lists the actions that would add the missing points. docs/guide/score.md has both models: `dq-1`
 * counts characters; `dq-2` counts different words, so that padding and repetition add nothing, and reads
 * options and reasons in the description too.
 */
export function scoreDecision(
  fields: ScoredFields,
  {
    model = 'dq-1',
    forecastOpen = fields.outcome === 'pending',
  }: { model?: QualityModel; forecastOpen?: boolean } = {},
): Quality {
  const texts = readTexts(fields, model);
  const options = distinctOptions(texts.options);
  const components = [
    component('frame', frame(fields, texts)),
    component('alternatives', alternatives(options, texts)),
    component('information', information(fields, options)),
    component('trade_offs', tradeOffs(fields, options, texts)),
    component('reasoning', reasoning(fields, options, texts)),
    component('commitment', commitment(fields, model)),
    component('learnability', learnability(fields, forecastOpen)),
  ];
  const pointsOf = (name: Component['name']) => components.find((c) => c.name === name)!.points;
  const hasOptions = options.length >= 2 || texts.listed >= 2;
  const isHollow = pointsOf('frame') === 0 || !hasOptions || pointsOf('reasoning') === 0 || texts.isShort;
  const sum = Math.round(inDecimals(components.reduce((total, c) => total + c.points, 0)));
  const capped = isHollow && sum > CAP;
  return { model, score: capped ? CAP : sum, capped, components };
}

/** The texts of a decision, as a model reads them. */
interface Texts {
  countWords: (text: string) => number;
  isSaid: (text: string | null) => boolean;
  options: readonly DecisionOption[];
  /** How many options and reasons the texts list. */
  listed: number;
  described: Row;
  reasoned: Row;
  /** Whether the texts are too short for any score above the cap. */
  isShort: boolean;
}

const readTexts = (fields: ScoredFields, model: QualityModel): Texts =>
  model === 'dq-2' ? readWords(fields) : readCharacters(fields);

function readCharacters({ description, rationale, options_considered }: ScoredFields): Texts {
  return {
    countWords,
    isSaid: (text) => !isBlank(text),
    options: options_considered,
    listed: 0,
    described: row(10, lengthPoints(description, DESCRIPTION_CHARACTERS), ACTIONS.describe),
    reasoned: row(10, lengthPoints(rationale ?? '', RATIONALE_CHARACTERS), ACTIONS.rationale),
    isShort: false,
  };
}

function readWords({ description, rationale, options_considered }: ScoredFields): Texts {
  const described = distinctWords(description);
  const reasons = distinctWords(rationale ?? '');
  const all = described.union(reasons).size;
  // Words beyond those that the situation takes give reasons, in the description too; a copy of it adds none.
  const reasonWords = Math.max(0, all - DESCRIPTION_WORDS, reasons.size / 2);
  return {
    countWords: (text) => distinctWords(text).size,
    isSaid: hasWord,
    options: substantial(options_considered),
    listed: listItems(`${description}\n${rationale ?? ''}`),
    described: row(10, wordPoints(described.size, DESCRIPTION_WORDS), ACTIONS.describeInWords),
    reasoned: row(10, wordPoints(reasonWords, REASON_WORDS), ACTIONS.reasonInWords),
    isShort: all < DESCRIPTION_WORDS,
  };
}

function frame({ title, question }: ScoredFields, { countWords, described }: Texts): Row[] {
  const words = Math.max(countWords(title), countWords(question ?? ''));
  return [row(5, [0, 0, 2, 2][words] ?? 5, ACTIONS.wording), described];
}

/** Options that a text only lists count for less than options with a record of their own. */
function alternatives(options: Option[], { listed }: Texts): Row[] {
  const ofOptions = [0, 4][options.length] ?? 14;
  const ofList = [0, 0, 8][listed] ?? 12;
  return [
    row(14, Math.max(ofOptions, ofList), ofList > ofOptions ? ACTIONS.recordOptions : ACTIONS.twoOptions),
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

function tradeOffs({ criteria, resolution }: ScoredFields, options: Option[], { isSaid }: Texts): Row[] {
  const named = new Set(criteria.map(fold).filter(isSaid)).size;
  const chosen = chosenOption(options, resolution);
  const action = chosen ? ACTIONS.conOfChosen : ACTIONS.nameChosen;
  return [
    row(5, [0, 2][named] ?? 5, ACTIONS.criteria),
    row(5, chosen && chosen.cons.length > 0 ? 5 : 0, action),
  ];
}

function reasoning({ rationale, resolution }: ScoredFields, options: Option[], texts: Texts): Row[] {
  const reasons = fold(rationale ?? '');
  const named = options.filter(({ title }) => mentionIn(reasons, title) >= 0).length;
  return [
    texts.reasoned,
    row(5, texts.isSaid(resolution) ? 5 : 0, ACTIONS.resolution),
    row(5, [0, 2][named] ?? 5, ACTIONS.nameOptions),
  ];
}

function commitment(fields: ScoredFields, model: QualityModel): Row[] {
  const { expected_by, decided_by, deciders, status } = fields;
  const [ofDate, ofDecider, ofStatus] = model === 'dq-2' ? [4, 3, 3] : [5, 5, 0];
  const isDecided = !isBlank(decided_by) || (model === 'dq-2' && deciders.length > 0);
  return [
    row(ofDate, expected_by === null ? 0 : ofDate, ACTIONS.expectedBy),
    row(ofDecider, isDecided ? ofDecider : 0, ACTIONS.decidedBy),
    row(ofStatus, status === 'proposed' ? 0 : ofStatus, ACTIONS.status),
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

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const hasWord = (text: string | null) => distinctWords(text ?? '').size > 0;

/** Leaves out titles, pros and cons without a word, and pros and cons that repeat others of the decision. */
function substantial(given: readonly DecisionOption[]): DecisionOption[] {
  const seen = new Set<string>();
  const isNew = (text: string) => {
    const folded = fold(text);
    if (seen.has(folded) || !hasWord(folded)) return false;
    seen.add(folded);
    return true;
  };
  return given.flatMap((option) => {
    const { title, pros, cons } = recordOf(option);
    return hasWord(title) ? [{ title, pros: pros.filter(isNew), cons: cons.filter(isNew) }] : [];
  });
}

const recordOf = (option: DecisionOption): Option =>
  typeof option === 'string' ? { title: option, pros: [], cons: [] } : option;

/** Returns the options with folded titles; one that is given twice has the pros and cons of both. */
function distinctOptions(given: readonly DecisionOption[]): Option[] {
  const byTitle = new Map<string, Option>();
  for (const option of given) {
    const { title, pros, cons } = recordOf(option);
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
