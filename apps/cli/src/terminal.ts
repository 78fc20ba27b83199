/** What a command has of the machine: a test gives its own. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out: (line: string) => void;
  error: (line: string) => void;
}
