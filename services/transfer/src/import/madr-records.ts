import { type Decision, type DecisionOption, limits, newId } from '@waymark/contracts';
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
  const successors: { by: string; id: string }[] = [];
  for await (const { name, text } of archiveFiles(work)) {
    const parsed = parseMadr(text);
    const id = parsed.id ?? derivedId(work.job.workspace_id, name);
    ids.set(baseName(name), id);
    if (parsed.superseded_by) successors.push({ by: parsed.superseded_by, id });
  }
  const numbered = byNumber(ids);
  for (const { by, id } of successors) {
    // "0005-use-x.md", "[ADR-0005](0005-use-x.md)", "ADR-5"
    const successor = ids.get(baseName(by)) ?? numbered.get(Number(/\d{1,9}/.exec(by)?.[0]));
    if (successor && successor !== id) supersedes.set(successor, id);
  }
  let index = 0;
  for await (const { name, text } of archiveFiles(work)) {
    const id = ids.get(baseName(name)) ?? newId();
    const value = decisionOf(work, parseMadr(text), { id, supersedes: supersedes.get(id) ?? null });
    yield { collection: 'decisions', index, value };
    index += 1;
  }
}

const baseName = (path: string) => path.split('/').at(-1)!.toLowerCase();

/** The ids of files by the number that their names begin with. */
function byNumber(ids: ReadonlyMap<string, string>): Map<number, string> {
  const numbers = new Map<number, string>();
  for (const [name, id] of ids) {
    const number = /^\D{0,20}(\d{1,9})/.exec(name)?.[1];
    if (number !== undefined && !numbers.has(Number(number))) numbers.set(Number(number), id);
  }
  return numbers;
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
    question: null,
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
