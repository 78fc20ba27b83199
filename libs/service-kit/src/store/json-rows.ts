import { BSON, type Document } from 'mongodb';

/** The BSON element types (bsonspec.org) that records use. */
const type = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  boolean: 0x08,
  null: 0x0a,
  int32: 0x10,
};
const LENGTH_BYTES = 4;
const DOUBLE_BYTES = 8;
/** Space for the longest number or literal, and for the characters around a text. */
const SLACK_BYTES = 64;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const brackets = { object: [0x7b, 0x7d], array: [0x5b, 0x5d] } as const;
const ID = Buffer.from('_id');

/** Thrown for a document that has a type that records do not use, or lacks a field. */
class UnsupportedDocument extends Error {}

export interface RowOptions {
  /** Fields whose text is JSON and is written as JSON. */
  jsonFields?: readonly string[];
  /** The values of fields that documents may lack, because they were stored before the fields existed. */
  defaults?: Readonly<Record<string, unknown>>;
}

/**
 * Writes `head`, then BSON documents as JSON, each after a comma, like `JSON.stringify` with `id` in place of
 * `_id`. BSON.deserialize with JSON.stringify takes four times as long.
 */
export function jsonRows(head: string, documents: readonly Uint8Array[], options: RowOptions = {}): Buffer {
  return written(writeRows(head, documents, options));
}

/** Writes documents in the same way as one JSON list. */
export function jsonList(documents: readonly Uint8Array[], options: RowOptions = {}): Buffer {
  const writer = writeRows('', documents, options);
  if (documents.length === 0) writer.ascii('[');
  else writer.bytes[0] = brackets.array[0];
  writer.ascii(']');
  return written(writer);
}

const written = ({ bytes, length }: JsonWriter): Buffer => bytes.subarray(0, length);

function writeRows(head: string, documents: readonly Uint8Array[], options: RowOptions): JsonWriter {
  const bytes = documents.reduce((sum, { length }) => sum + length, head.length);
  const writer = new JsonWriter(bytes, options);
  writer.text(head);
  // Documents of one collection are alike: after an unsupported one, the others are not tried.
  let isSupported = true;
  for (const document of documents) {
    const start = writer.length;
    try {
      if (isSupported) {
        writer.ascii(',');
        writer.members(Buffer.from(document.buffer, document.byteOffset, document.length), 0, 'object');
      }
    } catch (error) {
      if (!(error instanceof UnsupportedDocument)) throw error;
      isSupported = false;
      writer.length = start;
    }
    if (!isSupported) writer.text(`,${JSON.stringify(rowOf(document, options))}`);
  }
  return writer;
}

function rowOf(document: Uint8Array, { jsonFields = [], defaults = {} }: RowOptions): Document {
  const { _id: id, ...rest } = { ...defaults, ...BSON.deserialize(document) };
  for (const field of jsonFields) if (typeof rest[field] === 'string') rest[field] = JSON.parse(rest[field]);
  return { id, ...rest };
}

class JsonWriter {
  bytes: Buffer;
  length = 0;
  readonly #jsonFields: readonly Buffer[];
  readonly #defaultFields: readonly Buffer[];

  constructor(expectedBytes: number, { jsonFields = [], defaults = {} }: RowOptions) {
    this.#jsonFields = jsonFields.map((name) => Buffer.from(name));
    this.#defaultFields = Object.keys(defaults).map((name) => Buffer.from(name));
    this.bytes = Buffer.allocUnsafeSlow(expectedBytes + (expectedBytes >> 2) + SLACK_BYTES);
  }

  text(text: string): void {
    this.#makeRoom(Buffer.byteLength(text));
    this.length += this.bytes.write(text, this.length);
  }

  /** Writes a short text. A call out of JavaScript would take longer. */
  ascii(text: string): void {
    this.#makeRoom(text.length);
    for (let i = 0; i < text.length; i += 1) this.bytes[this.length++] = text.charCodeAt(i);
  }

  /** Writes the elements of the object or array at `start`, between brackets. */
  members(input: Buffer, start: number, kind: 'object' | 'array'): void {
    const end = start + input.readInt32LE(start) - 1;
    let at = start + LENGTH_BYTES;
    const [opening, closing] = brackets[kind];
    this.#makeRoom(0);
    this.bytes[this.length++] = opening;
    let missing = start === 0 ? this.#defaultFields.length : 0;
    for (let isFirst = true; at < end; isFirst = false) {
      const valueType = input[at]!;
      let nameEnd = at + 1;
      while (input[nameEnd] !== 0) nameEnd += 1;
      this.#makeRoom(0);
      if (!isFirst) this.bytes[this.length++] = COMMA;
      if (kind === 'object') {
        if (missing > 0 && isAmong(this.#defaultFields, input, at + 1, nameEnd)) missing -= 1;
        const isOwnId = start === 0 && isBetween(input, at + 1, nameEnd, ID);
        this.#string(input, isOwnId ? at + 2 : at + 1, nameEnd);
        this.bytes[this.length++] = COLON;
      }
      const isJson =
        start === 0 && valueType === type.string && isAmong(this.#jsonFields, input, at + 1, nameEnd);
      at = isJson ? this.#json(input, nameEnd + 1) : this.#value(input, valueType, nameEnd + 1);
    }
    if (missing > 0) throw new UnsupportedDocument('a field with a default is missing');
    this.#makeRoom(0);
    this.bytes[this.length++] = closing;
  }

  /** Writes the text at `at` as JSON, without quotes. @returns the end of the text. */
  #json(input: Buffer, at: number): number {
    const start = at + LENGTH_BYTES;
    const end = start + input.readInt32LE(at);
    this.#makeRoom(end - start);
    this.length += input.copy(this.bytes, this.length, start, end - 1);
    return end;
  }

  /** Writes a value. @returns the end of the value. */
  #value(input: Buffer, valueType: number, at: number): number {
    switch (valueType) {
      case type.string: {
        const start = at + LENGTH_BYTES;
        const end = start + input.readInt32LE(at);
        this.#string(input, start, end - 1);
        return end;
      }
      case type.null:
        this.ascii('null');
        return at;
      case type.boolean:
        this.ascii(input[at] === 1 ? 'true' : 'false');
        return at + 1;
      case type.int32:
        this.ascii(String(input.readInt32LE(at)));
        return at + LENGTH_BYTES;
      case type.double:
        this.ascii(JSON.stringify(input.readDoubleLE(at)));
        return at + DOUBLE_BYTES;
      case type.object:
      case type.array:
        this.members(input, at, valueType === type.object ? 'object' : 'array');
        return at + input.readInt32LE(at);
      default:
        throw new UnsupportedDocument(`BSON's type ${valueType}`);
    }
  }

  #string(input: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start);
    this.bytes[this.length++] = QUOTE;
    let { bytes, length } = this;
    for (let i = start; i < end; i += 1) {
      const byte = input[i]!;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
        this.length = length;
        this.ascii(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
        this.#makeRoom(end - i);
        ({ bytes, length } = this);
      } else bytes[length++] = byte;
    }
    bytes[length++] = QUOTE;
    this.length = length;
  }

  #makeRoom(bytes: number): void {
    const needed = this.length + bytes + SLACK_BYTES;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(needed * 2);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

function isAmong(names: readonly Buffer[], input: Buffer, start: number, end: number): boolean {
  for (const name of names) if (isBetween(input, start, end, name)) return true;
  return false;
}

function isBetween(input: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i += 1) if (input[start + i] !== name[i]) return false;
  return true;
}
