import { type Exit, exitCodes } from './exit-codes.ts';

interface Options extends ErrorOptions {
  exit?: Exit;
  /** The fields of the error as JSON, beside the message, which one of them can replace. */
  details?: Record<string, unknown>;
}

/** A command that cannot be done. The message is one line for the user. */
export class CommandError extends Error {
  readonly exit: Exit;
  readonly exitCode: number;
  readonly details: Record<string, unknown>;

  constructor(message: string, { exit = 'failed', details = {}, ...options }: Options = {}) {
    super(message, options);
    this.exit = exit;
    this.exitCode = exitCodes[exit];
    this.details = details;
  }
}

/** An error in the arguments of a command, or in the input that it reads. */
export const usageError = (message: string) => new CommandError(message, { exit: 'usage' });

/** Ends a command that has printed all that there is to say. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(exit: Exit | number) {
    super();
    this.code = typeof exit === 'number' ? exit : exitCodes[exit];
  }
}
