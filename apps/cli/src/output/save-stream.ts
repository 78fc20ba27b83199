import { usageError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { callFailure } from './call-failure.ts';
import { saveFile } from './save-file.ts';

const PROGRESS_MS = 1_000;
const MEBIBYTE = 1_048_576;

interface Target {
  file: string | undefined;
  baseUrl: string;
}

/** Writes the body of an answer to a file, which is complete or not there, or to the output. */
export const saveStream = (response: Response, target: Target, terminal: Terminal): Promise<void> =>
  // The connection of a body that nobody reads would keep the process running.
  save(response, target, terminal).finally(() => response.body?.cancel().catch(() => undefined));

async function save(response: Response, { file, baseUrl }: Target, terminal: Terminal): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  const isText = /^text\/|json/.test(type);
  if (!file && !isText && terminal.columns !== undefined) {
    throw usageError('this is not text: give --output <file>, or redirect the output');
  }
  const body = failing(response, baseUrl);
  // A terminal shows the text itself.
  const chunks =
    terminal.showsProgress && (file || terminal.columns === undefined) ? withProgress(body, terminal) : body;
  if (file) return saveFile(chunks, file);
  const text = isText && terminal.columns !== undefined ? new TextDecoder() : undefined;
  for await (const chunk of chunks) {
    await terminal.write?.(text ? text.decode(chunk, { stream: true }) : chunk);
  }
}

async function* failing(response: Response, baseUrl: string): AsyncGenerator<Uint8Array> {
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw await callFailure(error, { baseUrl });
  }
}

async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  terminal: Terminal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let shownAt = performance.now();
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (performance.now() - shownAt > PROGRESS_MS) {
      terminal.error(`${(bytes / MEBIBYTE).toFixed(1)} MiB read`);
      shownAt = performance.now();
    }
    yield chunk;
  }
}
