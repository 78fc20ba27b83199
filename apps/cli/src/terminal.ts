/** The environment and the output of a command; tests replace it. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out: (line: string) => void;
  error: (line: string) => void;
}
