import { describe, expect, it } from '@jest/globals';
import { countDraftsOf, draftKey, dropDraftsOf, keepDraft, keepDraftsOf, readDraft } from './drafts.ts';

const DAY_MS = 86_400_000;

/** A Storage with room for this many characters. */
function storageOf(room = Number.POSITIVE_INFINITY): Storage {
  const storage = {} as Storage;
  const define = (name: string, value: unknown) => Object.defineProperty(storage, name, { value });
  define('getItem', (key: string) => storage[key] ?? null);
  define('removeItem', (key: string) => Reflect.deleteProperty(storage, key));
  define('setItem', (key: string, value: string) => {
    const used = Object.entries({ ...storage, [key]: value })
      .flat()
      .join('').length;
    if (used > room) throw new DOMException('full', 'QuotaExceededError');
    storage[key] = value;
  });
  keepDraftsOf('mira', storage, 0);
  return storage;
}

const key = (name: string, userId = 'mira') => draftKey(userId, 'w', name);

describe('drafts', () => {
  it('are read as they were kept, for 30 days', () => {
    const storage = storageOf();
    expect(keepDraft(key('new'), { title: 'Keep 1 lamp' }, storage, 7)).toBe(true);
    expect(readDraft(key('new'), storage, 30 * DAY_MS)).toEqual({ at: 7, content: { title: 'Keep 1 lamp' } });
    expect(readDraft(key('new'), storage, 30 * DAY_MS + 7)).toBeNull();
    keepDraftsOf('mira', storage, 30 * DAY_MS + 7);
    expect(storage.getItem(key('new'))).toBeNull();
  });

  it('are at most 20, the latest ones', () => {
    const storage = storageOf();
    for (let n = 1; n <= 21; n += 1) keepDraft(key(`edit.${n}`), n, storage, n);
    expect(countDraftsOf('mira', storage)).toBe(20);
    expect(readDraft(key('edit.1'), storage, 21)).toBeNull();
    expect(readDraft(key('edit.21'), storage, 21)?.content).toBe(21);
  });

  it('belong to one user and one workspace', () => {
    const storage = storageOf();
    storage.setItem('waymark.workspace', 'w');
    keepDraft(key('new'), 'hers', storage, 1);
    expect(readDraft(draftKey('mira', 'other', 'new'), storage, 1)).toBeNull();
    expect(keepDraft(key('new', 'jonas'), 'his', storage, 1)).toBe(false);
    keepDraftsOf('jonas', storage, 1);
    expect(keepDraft(key('new', 'jonas'), 'his', storage, 1)).toBe(true);
    expect(readDraft(key('new'), storage, 1)).toBeNull();
    expect(storage.getItem('waymark.workspace')).toBe('w');
  });

  it('are deleted when their user signs out, and no open form keeps another', () => {
    const storage = storageOf();
    keepDraft(key('new'), 'hers', storage, 1);
    dropDraftsOf('mira', storage);
    expect(keepDraft(key('edit.1'), 'hers', storage, 1)).toBe(false);
    expect(Object.keys(storage)).toEqual([]);
  });

  it('say when the browser has no room, and ignore what is not a draft', () => {
    const storage = storageOf(100);
    expect(keepDraft(key('new'), 'x'.repeat(200), storage, 1)).toBe(false);
    storage.setItem(key('new'), '1 {"title":');
    expect(readDraft(key('new'), storage, 2)).toBeNull();
    for (const text of ['{}', '9007199254740993 {}']) {
      storage.setItem(key('new'), text);
      expect(readDraft(key('new'), storage, 2)).toBeNull();
    }
  });
});
