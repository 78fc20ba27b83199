import { type Decision, decisionStatuses, limits, outcomes } from '@waymark/contracts';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { oneLine, proseSource, withFences } from './prose.ts';

/** The fields of a Markdown record. The schema of a decision validates them later. */
export type ParsedMadr = ReturnType<typeof parseMadr>;

const FRONT_MATTER = /^\uFEFF?---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;
/** Blanks are left to headingText: an expression for both takes far too long on a hostile line. */
const HEADING = /^ {0,3}(#{1,3})[ \t](.*)$/s;
/** A file may have a megabyte of options, arguments or drivers. A record has fewer than this many. */
const ITEMS_READ = 500;
const LINK_CHARACTERS = 1_000;
const FRONT_MATTER_CHARACTERS = 64 * 1024;
/** A record uses lists within one mapping. A deeper nesting could use up the stack. */
const YAML_OPTIONS = { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 10, json: true };
const ITEM = /^ {0,3}[*+-]\s+/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Section {
  level: number;
  heading: string;
  lines: string[];
}

/** Parses MADR 4, 3 and 2 and Nygard's records. Unknown content stays in the description. */
export function parseMadr(markdown: string) {
  const text = markdown.replaceAll(/\r\n?/g, '\n');
  const front = frontMatter(text);
  const sections = sectionsOf(text.replace(FRONT_MATTER, ''));
  const titled = sections.find(({ level }) => level === 1);
  const used = new Set<Section>();
  const take = (level: number, ...names: RegExp[]) => {
    const found = sections.find((one) => one.level === level && names.some((name) => name.test(one.heading)));
    if (found) used.add(found);
    return found;
  };
  const inside = (parent: Section | undefined) => {
    if (!parent) return [];
    const from = sections.indexOf(parent) + 1;
    const end = sections.findIndex(({ level }, i) => i >= from && level <= parent.level);
    return sections.slice(from, end < 0 ? undefined : end);
  };

  const context = take(2, /^context/i);
  const drivers = take(2, /^decision drivers/i);
  const considered = take(2, /^considered options/i, /^options/i);
  const chosen = take(2, /^decision outcome/i, /^decision$/i);
  const prosAndCons = take(2, /^pros and cons/i);
  const statusSection = take(2, /^status$/i);
  const ofChosen = inside(chosen);
  const confirmation = ofChosen.find(({ heading }) => /^confirmation$/i.test(heading));
  for (const one of [...inside(prosAndCons), ...(confirmation ? [confirmation] : [])]) used.add(one);

  const preamble = titled ? bullets(titled.lines) : [];
  const stated = textOf(front['status']) ?? statedIn(preamble, 'status') ?? statusText(statusSection);
  const date = textOf(front['date']) ?? statedIn(preamble, 'date');
  const makers = front['decision-makers'] ?? front['deciders'];
  const madeBy = listOf(makers).join(', ') || statedIn(preamble, 'deciders');
  const outcome = outcomeOf(chosen, ofChosen, confirmation, used);
  // Sections of other tools (Consequences, More Information) go to the description.
  const others = sections.filter((one) => one.level > 1 && !used.has(one));
  const id = idOf(front['id']);
  const title = titleOf(titled?.heading ?? sections[0]?.heading ?? '', front['title']);
  const question = textOf(front['question']);
  const description = [
    withoutQuestion(blockOf(context), question === title ? null : question),
    ...others.map((one) => `${'#'.repeat(one.level + 1)} ${one.heading}\n\n${blockOf(one)}`.trim()),
  ].filter(isNotEmpty);

  return {
    id,
    // Other tools number their titles. Exported titles are kept unchanged.
    title: id ? title : title.replace(/^(?:ADR[- ]?)?\d+[.:]\s+/i, ''),
    question,
    /** Null if the file states none. */
    status: stated === null ? null : statusOf(stated),
    superseded_by: successorIn(stated),
    date: momentOf(date),
    // An export has a list of deciders, or a text and the list apart from it.
    decision_makers: id && Array.isArray(makers) ? null : madeBy || null,
    deciders: peopleOf(Array.isArray(makers) ? makers : id && front['deciders']),
    consulted: peopleOf(front['consulted']),
    informed: peopleOf(front['informed']),
    type: textOf(front['type']),
    tags: [...new Set(listOf(front['tags']))],
    external_id: textOf(front['external-id']),
    expected_by: textOf(front['expected-by']),
    review_by: textOf(front['review-by']),
    review_every_months: monthsOf(front['review-every-months']),
    supersedes: textOf(front['supersedes']),
    relates_to: listOf(front['relates-to']),
    context: description.join('\n\n'),
    drivers: items(drivers).map(proseSource).filter(isNotEmpty).slice(0, ITEMS_READ),
    options: optionsOf(considered, inside(prosAndCons), id !== null),
    ...outcome,
  };
}

function idOf(value: unknown): string | null {
  const id = textOf(value);
  return id && UUID.test(id) ? id.toLowerCase() : null;
}

/** A title in the front matter is exact, unless somebody has edited the heading since. */
function titleOf(heading: string, given: unknown): string {
  return typeof given === 'string' && given !== '' && oneLine(given) === heading ? given : heading;
}

const isNotEmpty = (text: string) => text !== '';

/** Removes the question, which the export writes below the description and also in the front matter. */
function withoutQuestion(context: string, question: string | null): string {
  if (question === null || !(context === question || context.endsWith(`\n\n${question}`))) return context;
  return context.slice(0, context.length - question.length).trim();
}

/** Returns no fields for invalid YAML. A check for repeated fields would take quadratic time. */
function frontMatter(text: string): Record<string, unknown> {
  const yaml = FRONT_MATTER.exec(text)?.[1];
  if (yaml === undefined || yaml.length > FRONT_MATTER_CHARACTERS) return {};
  try {
    const fields: unknown = load(yaml, YAML_OPTIONS);
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? (fields as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  for (const { line, isCode } of withFences(text.split('\n')).lines) {
    const heading = isCode ? null : HEADING.exec(line);
    if (heading) sections.push({ level: heading[1]!.length, heading: headingText(heading[2]!), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** Removes closing # characters. A regular expression for it takes far too long on a hostile line. */
function headingText(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end -= 1;
  if (end === trimmed.length) return trimmed;
  let start = end;
  while (start > 0 && trimmed[start - 1] === '\\') start -= 1;
  // The # characters are part of a word. They close the heading only if a blank precedes them.
  if (start > 0 && !/\s/.test(trimmed[start - 1]!)) return trimmed;
  return start === end ? trimmed.slice(0, end).trim() : trimmed.slice(0, start) + trimmed.slice(start + 1);
}

const blockOf = (section: Section | undefined) => proseSource((section?.lines ?? []).join('\n').trim());

function bullets(lines: readonly string[]): string[] {
  const found: string[][] = [];
  let blanks: string[] = [];
  let width = 0;
  for (const line of lines) {
    const mark = ITEM.exec(line)?.[0];
    const indent = line.search(/\S/);
    const item = found.at(-1);
    if (mark && (!item || indent < width)) {
      found.push([line.slice(mark.length)]);
      width = mark.length;
      blanks = [];
    } else if (item && indent < 0) blanks.push(line.slice(width));
    else if (item && indent > 0) {
      // In a loop, because the number of arguments of a call is limited.
      for (const blank of blanks) item.push(blank);
      item.push(line.slice(Math.min(indent, width)));
      blanks = [];
    }
  }
  return found.map((parts) => parts.join('\n'));
}

const items = (section: Section | undefined) => bullets(section?.lines ?? []);

/** Returns a field like `* Status: accepted`, which MADR 2 writes above the first section. */
function statedIn(lines: readonly string[], name: string): string | null {
  const found = lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
  return found?.slice(name.length + 1).trim() || null;
}

function statusText(section: Section | undefined): string | null {
  const lines = blockOf(section)
    .split('\n')
    .map((line) => line.trim());
  return lines.find((line) => /^superseded by/i.test(line)) ?? lines.find(isNotEmpty) ?? null;
}

/** Returns the successor that a status names: the rest of the line, or the line below. */
function successorIn(stated: string | null): string | null {
  const link = /^superseded by\s+(\S[^\n]*)/i.exec(stated ?? '')?.[1]?.trim();
  return link !== undefined && link.length <= LINK_CHARACTERS ? link : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** A text that is no number is refused as one, by the check of the decision. */
const monthsOf = (value: unknown) => (textOf(value) === null ? null : Number(value));

/** Other tools write names in one text, separated by commas. */
function peopleOf(value: unknown): string[] {
  const names = listOf(typeof value === 'string' ? value.split(',') : value);
  return [...new Set(names)].slice(0, limits.listItems);
}

function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map(textOf).filter((text) => text !== null);
}

function statusOf(stated: string): Decision['status'] {
  const letters = stated.replace(/[^a-z ]/gi, '');
  const word = letters.trim().toLowerCase();
  if (/^(deprecated|superseded)/.test(word)) return 'archived';
  return decisionStatuses.find((status) => word.startsWith(status)) ?? 'proposed';
}

function momentOf(date: string | null): string | null {
  const day = /\d{4}-\d\d-\d\d/.exec(date ?? '')?.[0];
  if (!day) return null;
  const moment = new Date(`${day}T00:00:00.000Z`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** Other tools make links of their options. Exported options (`isExact`) are kept unchanged. */
function optionsOf(considered: Section | undefined, details: Section[], isExact: boolean) {
  const plain = (text: string) =>
    isExact ? proseSource(text) : text.replace(/^\[([^\]]*)\](?:\([^)]*\))?$/, '$1').trim();
  const options: { title: string; pros: string[]; cons: string[] }[] = [];
  const byLine = new Map<string, (typeof options)[number]>();
  const addOption = (title: string) => {
    const option = { title, pros: [], cons: [] };
    options.push(option);
    const line = oneLine(title);
    if (!byLine.has(line)) byLine.set(line, option);
    return option;
  };
  for (const title of items(considered).slice(0, ITEMS_READ)) addOption(plain(title));
  for (const section of details.slice(0, ITEMS_READ)) {
    const title = isExact ? section.heading : plain(section.heading);
    const option = byLine.get(title) ?? addOption(title);
    for (const item of items(section)) {
      const argument = /^(good|bad),?\s+because\s+([\s\S]*)$/i.exec(item);
      if (!argument) continue;
      const side = option[argument[1]!.toLowerCase() === 'good' ? 'pros' : 'cons'];
      const text = proseSource(argument[2]!);
      if (isNotEmpty(text) && side.length < ITEMS_READ) side.push(text);
    }
  }
  return options.filter(({ title }) => title !== '');
}

function outcomeOf(
  chosen: Section | undefined,
  ofChosen: Section[],
  confirmation: Section | undefined,
  used: Set<Section>,
) {
  const body = blockOf(chosen);
  const sentence =
    /^Chosen option: "(.*?)"(?:,? because ([\s\S]*)|\n([\s\S]*))?$/.exec(body) ??
    /^Chosen option: ([^"\n]*?)(?:,? because ([\s\S]*))?$/.exec(body);
  const [, option = null, because, below] = sentence ?? [];
  const named = (name: RegExp) =>
    body === '' ? ofChosen.find(({ heading }) => name.test(heading)) : undefined;
  const [resolved, reasoned] = [named(/^resolution$/i), named(/^rationale$/i)];
  const resolution = resolved ? blockOf(resolved) : option;
  const rest = reasoned ? blockOf(reasoned) : sentence ? (because ?? below ?? '') : body;
  for (const one of ofChosen) used.add(one);
  const own = new Set([confirmation, resolved, reasoned]);
  const further = ofChosen.filter((one) => !own.has(one));
  const rationale = [rest.trim(), ...further.map((one) => `#### ${one.heading}\n\n${blockOf(one)}`.trim())];
  const [first = '', ...notes] = blockOf(confirmation).split('\n');
  const logged = outcomes.find((outcome) => first === `Outcome: ${outcome}`);
  const said = (logged ? notes.join('\n') : blockOf(confirmation)).trim();
  return {
    resolution: resolution?.trim() || null,
    rationale: rationale.filter(isNotEmpty).join('\n\n') || null,
    outcome: logged ?? null,
    outcome_notes: said || null,
  };
}
