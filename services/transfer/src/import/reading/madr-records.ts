import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { type Decision, decisionDefaults } from '@waymark/contracts';
import { derivedId } from '@waymark/data-transfer/derived-id';
import { decisionFields } from '../../madr/decision-fields.ts';
import { type ParsedMadr, parseMadr } from '../../madr/parse-madr.ts';
import { archiveFiles } from './archive-files.ts';
import type { ImportFile } from './import-file.ts';
import type { Found } from './json-records.ts';

/**
 * Yields the Markdown decisions of an archive as records. An id that is derived from the file's name lets the
 * same folder be imported again. A first pass collects "superseded by" links, which become the `supersedes`
 * of the other file; it keeps a fixed number of bytes per file, whatever the length of its name and text.
 */
export async function* madrRecords(file: ImportFile): AsyncGenerator<Found> {
  const targets = new Map<string, string>();
  const successors: { keys: string[]; id: string }[] = [];
  for await (const { name, text } of archiveFiles(file)) {
    const parsed = parseMadr(text);
    const id = copyOf(idOf(file, parsed, name));
    for (const key of keysOfFile(name)) if (!targets.has(key)) targets.set(key, id);
    if (parsed.superseded_by) successors.push({ keys: keysOfLink(parsed.superseded_by, name), id });
  }
  const supersedes = new Map<string, string>();
  for (const { keys, id } of successors) {
    const successor = targets.get(keys.find((key) => targets.has(key)) ?? '');
    if (successor && successor !== id) supersedes.set(successor, id);
  }
  let index = 0;
  for await (const { name, text } of archiveFiles(file)) {
    const parsed = parseMadr(text);
    const id = idOf(file, parsed, name);
    const value = decisionOf(file, parsed, { id, supersedes: supersedes.get(id) ?? null });
    yield { collection: 'decisions', index, value };
    index += 1;
  }
}

const idOf = ({ job }: ImportFile, { id }: ParsedMadr, name: string) =>
  id ?? derivedId(job.workspace_id, name);

/** Copies a substring, because V8 keeps the whole string in memory as long as a slice of it exists. */
const copyOf = (slice: string) => Buffer.from(slice).toString();

const KEY_CHARACTERS = 22;
const ANYWHERE = '*';

const keyOf = (...parts: (string | number)[]) =>
  copyOf(hash('sha256', JSON.stringify(parts), 'base64url').slice(0, KEY_CHARACTERS));
const baseName = (path: string) => posix.basename(path).toLowerCase();

/** Returns the keys by which a link can refer to a file: its path, name and number, in its and any folder. */
function keysOfFile(path: string): string[] {
  const name = baseName(path);
  const number = /^\D{0,20}(\d{1,9})/.exec(name)?.[1];
  return [
    keyOf(path),
    ...[posix.dirname(path), ANYWHERE].flatMap((folder) => [
      keyOf(folder, name),
      ...(number === undefined ? [] : [keyOf(folder, Number(number))]),
    ]),
  ];
}

/**
 * Returns the keys for "0005-use-x.md", "[ADR-0005](0005-use-x.md)" or "ADR-5", best match first: by path,
 * then name, then number, in the same folder before other folders.
 */
function keysOfLink(link: string, from: string): string[] {
  const folder = posix.dirname(from);
  const target = /\]\(([^)\s]+)/.exec(link)?.[1] ?? link;
  const number = /\d{1,9}/.exec(link)?.[0];
  const names = [baseName(target), ...(number === undefined ? [] : [Number(number)])];
  return [
    keyOf(posix.join(folder, target)),
    ...names.flatMap((name) => [keyOf(folder, name), keyOf(ANYWHERE, name)]),
  ];
}

function decisionOf(
  { job }: ImportFile,
  parsed: ParsedMadr,
  { id, supersedes }: { id: string; supersedes: string | null },
): Decision {
  const at = parsed.date ?? job.created_at;
  const fields = decisionFields(parsed);
  return {
    ...(decisionDefaults as Decision),
    ...fields,
    id,
    workspace_id: job.workspace_id,
    status: fields.status ?? 'proposed',
    outcome: fields.outcome ?? 'pending',
    supersedes: parsed.supersedes ?? supersedes,
    relates_to: parsed.relates_to,
    quality_score: 0,
    quality_model: job.quality_model ?? 'dq-1',
    version: 1,
    created_by: job.created_by.id ?? '',
    created_at: at,
    updated_at: at,
  };
}
