/**
 * The body of an answer in JSON that a handler has written itself, in parts, one after the other. They are given away: their memory
 * goes when they are sent.
 */
export class JsonParts {
  readonly parts: readonly Buffer[];
  /** For the ETag. */
  readonly version: number | undefined;

  constructor(parts: readonly (Buffer | string)[], version?: number) {
    this.parts = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    this.version = version;
  }
}
