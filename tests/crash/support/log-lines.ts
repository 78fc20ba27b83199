import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Log lines reach their files in batches, about 100 ms after they were written. */
const WRITTEN_AFTER_MS = 500;

/**
 * Returns what the processes logged about a request, each line with its file. The log has the cause that an
 * answer omits.
 */
export async function logLinesOf(directory: string, requestId: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, WRITTEN_AFTER_MS));
  const files = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
  const lines = texts.flatMap((text, i) =>
    text.split('\n').flatMap((line) => (line.includes(requestId) ? `${files[i]}: ${line}` : [])),
  );
  return lines.join('\n');
}
