import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Returns the JSON object of --body: given itself, as `@file`, or `-` for standard input. */
export async function readJsonBody(given: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = await textOf(given, terminal);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`--body is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usageError('--body is not a JSON object');
}

/** Returns the file of --body, which is not read into memory, or the content of standard input. */
export async function readFileBody(given: string | undefined, terminal: Terminal): Promise<Blob> {
  if (given === '-') return new Blob([await standardInput(terminal)]);
  if (!given?.startsWith('@'))
    throw usageError('give the file: --body @file, or --body - for standard input');
  const path = given.slice(1);
  // openAsBlob reads a missing file only when it is sent.
  await readable(path, async () => (await openAsBlob(path)).slice(0, 1).arrayBuffer());
  return openAsBlob(path);
}

async function textOf(given: string, terminal: Terminal): Promise<string> {
  if (given === '-') return standardInput(terminal).then((bytes) => bytes.toString('utf8'));
  return given.startsWith('@') ? readable(given.slice(1), (path) => readFile(path, 'utf8')) : given;
}

async function standardInput({ input }: Terminal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of input ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
  if (chunks.length === 0)
    throw usageError('standard input is empty: pipe the body into the command, or give --body @file');
  return Buffer.concat(chunks);
}

async function readable<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(path);
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
