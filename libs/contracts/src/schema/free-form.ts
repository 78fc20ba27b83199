import { z } from 'zod';
import { KIBIBYTE, limits } from '../limits.ts';
import { isText } from './types.ts';

const REFUSED_KEYS = new Set(['__proto__', 'constructor']);

interface Fault {
  path: string[];
  message: string;
}

/** The first value inside `value` that must not be stored, down to the depth limit. */
function faultIn(value: unknown, path: string[], level: number): Fault | undefined {
  if (typeof value === 'string' && !isText(value)) {
    return { path, message: 'must not contain NUL or lone surrogates' };
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, message: 'must not have numbers beyond 1.8e308' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > limits.nodeDataDepth) {
    return { path, message: `must not nest deeper than ${limits.nodeDataDepth} levels` };
  }
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = [...path, key];
    if (REFUSED_KEYS.has(key)) return { path: innerPath, message: 'is not allowed as a key; rename it' };
    if (!isText(key)) return { path, message: 'must not have keys with NUL or lone surrogates' };
    const fault = faultIn(inner, innerPath, level + 1);
    if (fault) return fault;
  }
  return undefined;
}

function sizeFault(value: unknown): Fault | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= limits.nodeDataBytes) return undefined;
  const message = `must be at most ${limits.nodeDataBytes / KIBIBYTE} KiB of JSON; it has ${bytes} bytes`;
  return { path: [], message };
}

/** A free-form JSON object: at most 64 KiB as UTF-8 JSON and 10 levels, itself included. */
export function freeForm() {
  const checked = (value: unknown, context: z.core.$RefinementCtx): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const fault = sizeFault(value) ?? faultIn(value, [], 1);
    if (fault) context.issues.push({ code: 'custom', ...fault, input: value });
    return value;
  };
  // Runs before the record's own check, which drops `__proto__` silently.
  return z.preprocess(checked, z.record(z.string(), z.unknown()));
}
