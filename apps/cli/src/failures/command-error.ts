import { exitCodes } from './exit-codes.ts';

interface Options extends ErrorOptions {
  exitCode?: number;
  /** The fields of the error as JSON, beside the message. */
  details?: Record<string, unknown>;
}

/** A command that cannot be done. The message is one line for the user. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly details: Record<string, unknown>;

  constructor(message: string, { exitCode = 1, details = {}, ...options }: Options = {}) {
    super(message, options);
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** An error in the arguments of a command, or in the input that it reads. */
export const usageError = (message: string) => new CommandError(message, { exitCode: exitCodes.usage });

/** Ends a command that has printed all that there is to say. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super();
    this.code = code;
  }
}
