/** A command that cannot be done. The message is one line for the user. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Ends a command that has printed all that there is to say. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super();
    this.code = code;
  }
}
