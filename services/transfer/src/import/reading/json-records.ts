import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { type ExportCollection, exportCollections, limits } from '@waymark/contracts';
import { FileFault } from './file-fault.ts';
import type { ImportFile } from './import-file.ts';

/** A record of a collection, or a field of the document's head. */
export type Found =
  | { collection: ExportCollection; index: number; value: unknown }
  | { head: string; value: unknown };

const HEAD = ['schema_version', 'exported_at', 'workspace', 'counts'];
const collections: readonly string[] = exportCollections;
/** The size of a record is checked at the end of a piece. */
const PIECE_BYTES = 64 * 1024;
/** The library's own decoder removes U+FEFF after an ASCII character. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PUNCTUATION = new Set([
  TokenType.RIGHT_BRACE,
  TokenType.RIGHT_BRACKET,
  TokenType.COLON,
  TokenType.COMMA,
]);

/**
 * Parses the records of an exported workspace as its bytes arrive, with one piece and one record in memory.
 * Throws FileFault for JSON that is invalid, truncated or not UTF-8, for a repeated or unknown field, and for
 * a record that nests too deeply, is too large (checked after each piece) or has too many values.
 */
export async function* jsonRecords(file: ImportFile): AsyncGenerator<Found> {
  const tokenizer = new Tokenizer();
  Object.assign(tokenizer['bufferedString'], { decoder: DECODER });
  const paths = [...HEAD.map((name) => `$.${name}`), ...collections.map((name) => `$.${name}.*`)];
  const parser = new TokenParser({ paths, keepStack: false });
  const fields = new Set<string>();
  let found: Found[] = [];
  let depth = 0;
  let lastString = '';
  let field = '';
  let path = '';
  let bytes = 0;
  let completedBytes = 0;
  let values = 0;

  tokenizer.onToken = (token) => {
    const { token: type, value } = token;
    if (!PUNCTUATION.has(type)) values += 1;
    if (values > limits.importRecordValues) {
      throw new FileFault(path, `has more than ${limits.importRecordValues} values`);
    }
    if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) {
      depth += 1;
      if (depth > limits.jsonDepth) throw new FileFault(path, `nests deeper than ${limits.jsonDepth} levels`);
      if (depth === 1 && type === TokenType.LEFT_BRACKET) throw notAnExport();
      if (depth === 2 && collections.includes(field)) {
        if (type === TokenType.LEFT_BRACE) throw new FileFault(field, 'is not a list');
        path = `${field}.0`;
      }
    } else if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) depth -= 1;
    else if (type === TokenType.STRING) lastString = String(value);
    else if (type === TokenType.COLON && depth === 1) {
      field = lastString;
      path = field;
      if (!HEAD.includes(field) && !collections.includes(field)) {
        throw new FileFault(field, 'is not a field of an exported workspace');
      }
      // The records of a second list would have the same paths as those of the first.
      if (fields.has(field)) throw new FileFault(field, 'is in the file twice');
      fields.add(field);
    }
    if (depth === 0 && type !== TokenType.RIGHT_BRACE) throw notAnExport();
    parser.write(token);
  };
  parser.onValue = ({ value, key }) => {
    completedBytes = bytes;
    values = 0;
    if (typeof key === 'number') {
      found.push({ collection: field as ExportCollection, index: key, value });
      path = `${field}.${key + 1}`;
    } else found.push({ head: String(key), value });
  };
  const rethrow = (error: Error) => {
    throw error;
  };
  tokenizer.onError = rethrow;
  parser.onError = rethrow;

  for await (const piece of piecesOf(file)) {
    file.beginPart(path);
    read(() => tokenizer.write(piece));
    bytes += piece.length;
    if (bytes - completedBytes > limits.importRecordBytes) {
      throw new FileFault(path, `is larger than ${limits.importRecordBytes} bytes`);
    }
    yield* found;
    found = [];
  }
  read(() => tokenizer.end());
  if (!parser.isEnded) throw new FileFault(path, 'The file ends here, in the middle.');
  yield* found;

  function read(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof FileFault) throw error;
      if (depth === 0 && path === '') throw notAnExport();
      throw new FileFault(path, 'The file is not valid JSON after this point, or is cut off.');
    }
  }
}

async function* piecesOf({ size, chunkAt }: ImportFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const { data, from } = await chunkAt(at);
    for (; at < from + data.length; at += PIECE_BYTES)
      yield data.subarray(at - from, at - from + PIECE_BYTES);
    at = from + data.length;
  }
}

const notAnExport = () =>
  new FileFault('', 'The file is not an exported workspace, which is one JSON object.');
