import { posix } from 'node:path';
import { type Decision, type DecisionOption, limits } from '@waymark/contracts';
import { derivedId } from '@waymark/service-kit';
import { archiveFiles } from './archive-files.ts';
import type { Found } from './json-records.ts';
import { type ParsedMadr, parseMadr } from './parse-madr.ts';
import type { Work } from './work.ts';

/**
 * The Markdown decisions of an archive as records. Those without an id get one by their file's name, so that the same
 * folder can be imported again; "superseded by" another file becomes the link of that one, read in a first pass.
 */
export async function* madrRecords(work: Work): AsyncGenerator<Found> {
  const ids = new Map<string, string>();
  const supersedes = new Map<string, string>();
  const successors: { by: string; name: string; id: string }[] = [];
  for await (const { name, text } of archiveFiles(work)) {
    const parsed = parseMadr(text);
    const id = parsed.id ?? derivedId(work.job.workspace_id, name);
    ids.set(name, id);
    if (parsed.superseded_by) successors.push({ by: parsed.superseded_by, name, id });
  }
  const named = linkTargets(ids);
  for (const { by, name, id } of successors) {
    const successor = named(by, name);
    if (successor && successor !== id) supersedes.set(successor, id);
  }
  let index = 0;
  for await (const { name, text } of archiveFiles(work)) {
    const id = ids.get(name)!;
    const value = decisionOf(work, parseMadr(text), { id, supersedes: supersedes.get(id) ?? null });
    yield { collection: 'decisions', index, value };
    index += 1;
  }
}

const baseName = (path: string) => posix.basename(path).toLowerCase();
const ANYWHERE = '*';

/**
 * Finds what a file means by "0005-use-x.md", "[ADR-0005](0005-use-x.md)" or "ADR-5": the file at that path, by that name or
 * with that number, in its own folder rather than in another one.
 */
function linkTargets(ids: ReadonlyMap<string, string>): (link: string, from: string) => string | undefined {
  const known = new Map<string, string>();
  const keyOf = (folder: string, name: string | number) => JSON.stringify([folder, name]);
  for (const [path, id] of ids) {
    const name = baseName(path);
    const number = /^\D{0,20}(\d{1,9})/.exec(name)?.[1];
    for (const folder of [posix.dirname(path), ANYWHERE]) {
      const keys = [keyOf(folder, name), ...(number === undefined ? [] : [keyOf(folder, Number(number))])];
      for (const key of keys) if (!known.has(key)) known.set(key, id);
    }
  }
  return (link, from) => {
    const folder = posix.dirname(from);
    const target = /\]\(([^)\s]+)/.exec(link)?.[1] ?? link;
    const number = Number(/\d{1,9}/.exec(link)?.[0]);
    const names = [baseName(target), number].flatMap((name) => [keyOf(folder, name), keyOf(ANYWHERE, name)]);
    const key = names.find((one) => known.has(one));
    return ids.get(posix.join(folder, target)) ?? (key === undefined ? undefined : known.get(key));
  };
}

function decisionOf(
  { job }: Work,
  parsed: ParsedMadr,
  { id, supersedes }: { id: string; supersedes: string | null },
): Decision {
  const at = parsed.date ?? job.created_at;
  const logged = parsed.outcome ?? 'pending';
  const options: DecisionOption[] = parsed.options.map(({ title, pros, cons }) =>
    pros.length + cons.length === 0 ? title : { title, pros, cons },
  );
  return {
    id,
    workspace_id: job.workspace_id,
    title: parsed.title,
    question: parsed.question,
    description: parsed.context,
    status: parsed.status,
    resolution: parsed.resolution,
    rationale: parsed.rationale,
    options_considered: options,
    criteria: parsed.drivers,
    decision_type: parsed.type,
    tags: parsed.tags.slice(0, limits.listItems),
    expected_by: parsed.expected_by,
    decided_by: parsed.decision_makers,
    outcome: logged,
    outcome_notes: parsed.outcome_notes,
    outcome_confidence: null,
    outcome_confidence_kind: null,
    supersedes: parsed.supersedes ?? supersedes,
    relates_to: parsed.relates_to,
    quality_score: 0,
    version: 1,
    created_by: job.created_by.id ?? '',
    created_at: at,
    updated_at: at,
  };
}
