import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { limits } from '@waymark/contracts';
import { decisionFields, isMadrFile, parseMadr } from '@waymark/transfer/madr';
import { usageError } from '../failures/command-error.ts';

export interface DecisionFile {
  /** The path of the file in the folder. */
  name: string;
  externalId: string;
  /** The id of the decision, if an export wrote the file. */
  id: string | null;
  /** What the file says, by the names of a record. */
  fields: Record<string, unknown>;
}

/**
 * Reads the Markdown decisions below a folder. The external id of one that states none is its path there,
 * after the prefix. Throws CommandError if there is none, or one cannot be read.
 */
export async function readFolder(folder: string, prefix: string): Promise<DecisionFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw usageError(`${folder} cannot be read: ${error.message}`);
  });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter(isMadrFile)
    .sort();
  if (names.length === 0) throw usageError(`${folder} has no Markdown decisions`);
  const files: DecisionFile[] = [];
  for (const name of names) files.push(decisionFile(name, prefix, await textOf(join(folder, name))));
  const byId = new Map<string, string>();
  for (const { name, externalId } of files) {
    const other = byId.get(externalId);
    if (other) throw usageError(`${other} and ${name} have the same external id: ${externalId}`);
    byId.set(externalId, name);
  }
  return files;
}

function decisionFile(name: string, prefix: string, text: string): DecisionFile {
  const parsed = parseMadr(text);
  const { external_id, ...fields } = decisionFields(parsed);
  const isSaid = ([, value]: [string, unknown]) =>
    value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return {
    name,
    externalId: external_id ?? prefix + name,
    id: parsed.id,
    fields: Object.fromEntries(Object.entries(fields).filter(isSaid)),
  };
}

async function textOf(file: string): Promise<string> {
  const content = await readFile(file).catch((error: Error) => {
    throw usageError(`${file} cannot be read: ${error.message}`);
  });
  if (content.length > limits.madrFileBytes)
    throw usageError(`${file} is too large: it may have ${limits.madrFileBytes} bytes`);
  return content.toString();
}
