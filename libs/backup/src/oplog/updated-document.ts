import type { Document } from 'mongodb';

/** MongoDB fills the gap before a new element with nulls, up to this many. */
const GAP_MAX = 1_500_000;

/**
 * Returns the document after an update of the oplog: a replacement, or a difference (`$v: 2`, see MongoDB's
 * src/mongo/db/update/document_diff_serialization.h). Throws if it does not fit. Fields named by whole
 * numbers come first, as JavaScript orders them.
 */
export function updatedDocument(document: Document | undefined, update: Document): Document {
  if (!('$v' in update)) return update;
  if (Number(update['$v']) !== 2 || !document) throw new Error('not an update of this document');
  return changedDocument(document, update['diff']);
}

function changed(value: unknown, difference: Document): unknown {
  return difference['a'] === true ? changedArray(value, difference) : changedDocument(value, difference);
}

/** `d` removes fields, `u` changes them in their places, `i` adds fields, `sName` changes inside of Name. */
function changedDocument(document: unknown, difference: Document): Document {
  if (!isObject(document) || !isObject(difference)) throw new Error('not a difference of a document');
  const { d: removed = {}, u: updated = {}, i: inserted = {} } = difference;
  const fields = Object.entries(document)
    .filter(([name]) => !Object.hasOwn(removed, name) && !Object.hasOwn(inserted, name))
    .map(([name, value]) => {
      const inside = difference[`s${name}`];
      if (Object.hasOwn(updated, name)) return [name, updated[name]];
      return [name, inside ? changed(value, inside) : value];
    });
  const added = Object.entries(updated).filter(([name]) => !Object.hasOwn(document, name));
  return Object.fromEntries([...fields, ...added, ...Object.entries(inserted)]);
}

/** `l` shortens, `u3` gives the element 3 a value, `s3` changes inside it. */
function changedArray(array: unknown, difference: Document): unknown[] {
  if (!Array.isArray(array)) throw new Error('not a difference of an array');
  const elements = 'l' in difference ? array.slice(0, Number(difference['l'])) : [...array];
  for (const [name, value] of Object.entries(difference)) {
    const [, kind, digits] = /^([us])(\d+)$/.exec(name) ?? [];
    if (!kind) continue;
    const index = Number(digits);
    if (index - elements.length > GAP_MAX) throw new Error('not a difference of this array');
    while (elements.length < index) elements.push(null);
    elements[index] = kind === 'u' ? value : changed(elements[index], value);
  }
  return elements;
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
