import { exitCodes } from '../failures/exit-codes.ts';
import { type Terminal, withoutControls } from './terminal.ts';

const DEFAULT_COLUMNS = 80;

/** The terminal, or the files and pipes, of this process. */
export function processTerminal(env: Terminal['env'] = process.env): Terminal {
  const { stdout, stderr, stdin } = process;
  stdout.on('error', outputFailed);
  // Nobody would read a message about it.
  stderr.on('error', () => undefined);
  return {
    env,
    // A pipe gets no control characters either: its end may be a terminal.
    out: (line) => stdout.write(`${withoutControls(line)}\n`),
    error: (line) => stderr.write(`${withoutControls(line)}\n`),
    write: (chunk) =>
      new Promise((resolve, reject) => {
        stdout.write(typeof chunk === 'string' ? withoutControls(chunk) : chunk, (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    get input() {
      return stdin;
    },
    ...(stdout.isTTY && { columns: columnsOf(env, stdout) }),
    showsProgress: stderr.isTTY === true,
    interruption: () => {
      const interrupted = new AbortController();
      // A second Ctrl-C ends the process at once.
      process.once('SIGINT', () => interrupted.abort());
      return interrupted.signal;
    },
  };
}

/** A terminal of unknown width, such as one of a program, says that it has 0 columns. */
export const columnsOf = (env: Terminal['env'], { columns }: { columns?: number }): number =>
  Number(env['COLUMNS']) || columns || DEFAULT_COLUMNS;

/** Node ignores SIGPIPE, which ends other programs here. */
function outputFailed(error: NodeJS.ErrnoException): never {
  const isClosed = error.code === 'EPIPE';
  const why = isClosed ? 'its reader has closed it' : error.message;
  process.stderr.write(`the output ended early, because ${why}: the printed part is not complete\n`);
  process.exit(isClosed ? exitCodes.outputClosed : exitCodes.failed);
}
