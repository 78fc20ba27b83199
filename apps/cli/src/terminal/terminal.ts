/** The environment, the input and the output of a command; tests replace it. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out: (line: string) => void;
  error: (line: string) => void;
  /** Writes bytes as they are, or text without control characters; waits until the reader has taken it. */
  write?: (chunk: Uint8Array | string) => Promise<void>;
  /** Standard input; undefined if it is closed. */
  input?: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  /** Characters in a line, if the output is a terminal. */
  columns?: number;
  /** Whether a person sees the error output, and thereby progress. */
  showsProgress?: boolean;
  /** Returns a signal that Ctrl-C aborts from now on, instead of the process. */
  interruption?: () => AbortSignal;
}

/** Control characters except tab and newline, and characters that end a line or change its direction. */
const CONTROLS = /(?![\t\n])\p{Cc}|\p{Bidi_C}|\p{Zl}|\p{Zp}/gu;

/** Replaces characters that a terminal would obey instead of showing. */
export function withoutControls(text: string, by: (found: string) => string = () => '\ufffd'): string {
  return text.replaceAll(CONTROLS, by);
}
