/** The exit codes of commands that call the API; operators' commands exit with 1 for every failure. */
export const exitCodes = {
  failed: 1,
  /** The command line, or what it sends, is not valid. */
  usage: 2,
  /** No credentials, or credentials that may not do this. */
  auth: 3,
  notFound: 4,
  /** The record, or its version, is not as the command expects. */
  conflict: 5,
  rateLimited: 6,
  /** The server failed, does not respond, or is not Waymark. */
  server: 7,
  /** `--dry-run` found something to change. */
  different: 8,
  /** Ctrl-C, as shells report it. */
  interrupted: 130,
  /** The reader of the output has gone, as shells report it. */
  outputClosed: 141,
} as const;

export type Exit = keyof typeof exitCodes;
