import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { type ExportCollection, exportCollections, limits } from '@waymark/contracts';

/** The file cannot be read on from here. */
export class FileFault extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** A record of a collection, or a field of the document's head. */
export type Found =
  | { collection: ExportCollection; index: number; value: unknown }
  | { head: string; value: unknown };

const HEAD = ['schema_version', 'exported_at', 'workspace', 'counts'];
const collections: readonly string[] = exportCollections;
const MARKS = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET, TokenType.COLON, TokenType.COMMA]);

/**
 * The records of an exported workspace as its bytes arrive, with never more in memory than a piece has or completes. Throws
 * FileFault for what is no JSON, not UTF-8, cut off, nested too deep, too large or of too many values at one place; what is
 * too large is seen at a piece's end.
 */
export async function* jsonRecords(pieces: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  const tokenizer = new Tokenizer();
  const paths = [...HEAD.map((name) => `$.${name}`), ...collections.map((name) => `$.${name}.*`)];
  const parser = new TokenParser({ paths, keepStack: false });
  const fields = new Set<string>();
  let found: Found[] = [];
  let depth = 0;
  let lastText = '';
  let field = '';
  let place = '';
  let bytes = 0;
  let settledBytes = 0;
  let values = 0;

  tokenizer.onToken = (token) => {
    const { token: type, value } = token;
    if (!MARKS.has(type)) values += 1;
    if (values > limits.importRecordValues) {
      throw new FileFault(place, `has more than ${limits.importRecordValues} values`);
    }
    if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) {
      depth += 1;
      if (depth > limits.jsonDepth)
        throw new FileFault(place, `nests deeper than ${limits.jsonDepth} levels`);
      if (depth === 1 && type === TokenType.LEFT_BRACKET) throw notAnExport();
      if (depth === 2 && collections.includes(field)) {
        if (type === TokenType.LEFT_BRACE) throw new FileFault(field, 'is no list');
        place = `${field}.0`;
      }
    } else if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) depth -= 1;
    else if (type === TokenType.STRING) lastText = String(value);
    else if (type === TokenType.COLON && depth === 1) {
      field = lastText;
      place = field;
      if (!HEAD.includes(field) && !collections.includes(field)) {
        throw new FileFault(field, 'is no field of an exported workspace');
      }
      // The records of a second list would have the places of the first one's.
      if (fields.has(field)) throw new FileFault(field, 'is in the file twice');
      fields.add(field);
    }
    if (depth === 0 && type !== TokenType.RIGHT_BRACE) throw notAnExport();
    parser.write(token);
  };
  parser.onValue = ({ value, key }) => {
    settledBytes = bytes;
    values = 0;
    if (typeof key === 'number') {
      found.push({ collection: field as ExportCollection, index: key, value });
      place = `${field}.${key + 1}`;
    } else found.push({ head: String(key), value });
  };
  const rethrow = (error: Error) => {
    throw error;
  };
  tokenizer.onError = rethrow;
  parser.onError = rethrow;

  for await (const piece of pieces) {
    read(() => tokenizer.write(piece));
    bytes += piece.length;
    if (bytes - settledBytes > limits.importRecordBytes) {
      throw new FileFault(place, `is larger than ${limits.importRecordBytes} bytes`);
    }
    yield* found;
    found = [];
  }
  read(() => tokenizer.end());
  if (!parser.isEnded) throw new FileFault(place, 'The file is cut off here.');
  yield* found;

  function read(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof FileFault) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new FileFault(place, `The file is no valid JSON behind this place, or is cut off: ${why}`);
    }
  }
}

function notAnExport(): FileFault {
  return new FileFault('', 'The file is no exported workspace: that is one JSON object.');
}
