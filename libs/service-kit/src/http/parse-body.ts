import { isUtf8 } from 'node:buffer';
import { bodyValuesMax, invalid, limits, type Operation } from '@waymark/contracts';
import { validate } from './validate.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Returns why parsing would overflow the stack or take many times the memory of the text; else null. */
function excessIn(json: Buffer, valuesMax: number): string | null {
  let depth = 0;
  // A colon follows each key, and a comma or an opening bracket precedes each value.
  let values = 0;
  let inString = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i]!;
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COLON || byte === COMMA) values += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values += 1;
      depth += 1;
      if (depth > limits.jsonDepth) return `nests deeper than ${limits.jsonDepth} levels`;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  return values > valuesMax ? `has more than ${valuesMax} keys and values` : null;
}

function parseJson(json: Buffer, valuesMax: number): unknown {
  if (!isUtf8(json)) throw invalid('body', 'is not valid UTF-8');
  const excess = excessIn(json, valuesMax);
  if (excess) throw invalid('body', excess);
  try {
    return JSON.parse(json.toString());
  } catch (error) {
    throw invalid('body', `is not valid JSON: ${(error as Error).message}`);
  }
}

/** Returns the body of a request as its operation's schema describes it, or throws VALIDATION_ERROR. */
export function parseBody(operation: Operation, raw: Buffer): unknown {
  if (!operation.body) return {};
  return validate(operation.body, raw.length > 0 ? parseJson(raw, bodyValuesMax(operation)) : {});
}
