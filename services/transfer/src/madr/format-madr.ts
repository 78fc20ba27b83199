import type { Decision } from '@waymark/contracts';
import { fenceOf, oneLine, prose } from './prose.ts';

const statuses: Record<Decision['status'], string> = {
  proposed: 'proposed',
  accepted: 'accepted',
  rejected: 'rejected',
  archived: 'deprecated',
};

/** Returns the name of a member by id, and whatever is no member as it is. */
export type NameOf = (person: string) => string;

/** Formats a decision as MADR 4.0.0 (adr.github.io/madr). Fields that it lacks go to the front matter. */
export function madrOf(decision: Decision, nameOf: NameOf = (person) => person): string {
  const { title, question, description, criteria, options_considered: options } = decision;
  const sections = [
    frontMatter(decision, nameOf),
    `# ${heading(title)}`,
    section('## Context and Problem Statement', [
      prose(description),
      question === null || question === title ? null : prose(question),
    ]),
    section('## Decision Drivers', [list(criteria.map(itemText))]),
    section('## Considered Options', [list(options.map(titleOf).map(itemText))]),
    section('## Decision Outcome', [chosen(decision), section('### Confirmation', [confirmation(decision)])]),
    section('## Pros and Cons of the Options', options.map(prosAndCons)),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function frontMatter(decision: Decision, nameOf: NameOf): string {
  const { title } = decision;
  const deciders = decision.deciders.map(nameOf);
  const fields = {
    status: statuses[decision.status],
    date: decision.updated_at.slice(0, 10),
    'decision-makers': decision.decided_by ?? deciders,
    deciders: decision.decided_by === null ? null : deciders,
    consulted: decision.consulted.map(nameOf),
    informed: decision.informed.map(nameOf),
    id: decision.id,
    'external-id': decision.external_id,
    // A title that its heading cannot represent exactly: with several lines, or blank.
    title: oneLine(title) === title ? null : title,
    question: decision.question,
    type: decision.decision_type,
    tags: decision.tags,
    'expected-by': decision.expected_by,
    'review-by': decision.review_by,
    'review-every-months': decision.review_every_months?.toString() ?? null,
    supersedes: decision.supersedes,
    'relates-to': decision.relates_to,
  };
  // JSON is valid YAML. In a quoted string, no text can end the field.
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== null && value.length > 0)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---'].join('\n');
}

function section(heading: string, blocks: readonly (string | null)[]): string {
  const given = blocks.filter((block) => block !== null && block !== '');
  return given.length === 0 ? '' : [heading, ...given].join('\n\n');
}

const SENTENCE = 'Chosen option: ';
/** The first character of a paragraph, as opposed to a heading, a list, a quotation or code. */
const PARAGRAPH = /^[^\s#>*+=~`\\|-]/;

/** Returns the template's sentence, or sections if the parser could not read the values from a sentence. */
function chosen({ resolution, rationale }: Decision): string | null {
  const isOption = resolution && resolution === oneLine(resolution) && !/",? because /.test(resolution);
  if (isOption && (!rationale || PARAGRAPH.test(rationale))) {
    const option = `${SENTENCE}"${resolution}"`;
    return rationale ? `${option}, because ${prose(rationale)}` : option;
  }
  if (!resolution && !rationale?.startsWith(SENTENCE)) return rationale && prose(rationale);
  const resolved = section('### Resolution', [resolution && prose(resolution)]);
  const reasoned = section('### Rationale', [rationale && prose(rationale)]);
  return [resolved, reasoned].filter((text) => text !== '').join('\n\n');
}

const OUTCOME = 'Outcome: ';

function confirmation({ outcome, outcome_notes }: Decision): string {
  const notes = outcome_notes ? [prose(outcome_notes)] : [];
  const isTold = outcome !== 'pending' || outcome_notes?.startsWith(OUTCOME);
  return [...(isTold ? [`${OUTCOME}${outcome}`] : []), ...notes].join('\n\n');
}

type Option = Decision['options_considered'][number];

const titleOf = (option: Option) => (typeof option === 'string' ? option : option.title);

function prosAndCons(option: Option): string | null {
  if (typeof option === 'string' || option.pros.length + option.cons.length === 0) return null;
  const arguments_ = [
    ...option.pros.map((text) => `Good, because ${itemText(text)}`),
    ...option.cons.map((text) => `Bad, because ${itemText(text)}`),
  ];
  return `### ${heading(option.title)}\n\n${list(arguments_)}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `* ${item.replaceAll('\n', '\n  ')}`).join('\n');
}

/** An item cannot begin with a code fence: its end would open a fence around the rest of the document. */
function itemText(text: string): string {
  return prose(fenceOf(text.trim()) ? `\\${text.trim()}` : text);
}

/** Returns the text on one line, with trailing # characters escaped, because Markdown would remove them. */
function heading(text: string): string {
  return oneLine(text).replace(/(^|\s)(\\*#+)$/, '$1\\$2');
}
