/** A JSON answer that a handler has serialized itself, in parts that are sent one after the other. */
export class JsonParts {
  readonly parts: readonly Buffer[];
  /** The version for the ETag. */
  readonly version: number | undefined;

  constructor(parts: readonly (Buffer | string)[], version?: number) {
    this.parts = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    this.version = version;
  }
}
