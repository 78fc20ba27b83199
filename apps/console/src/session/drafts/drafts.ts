const PREFIX = 'waymark.draft.';
/** The user of this browser, whose drafts are kept; nobody after signing out, in any tab. */
const OWNER = 'waymark.drafts-of';
const DRAFTS_MAX = 20;
const KEPT_MS = 30 * 86_400_000;

/** The unsaved input of a user, kept in this browser. */
export interface Draft<T> {
  /** When it was last changed. */
  at: number;
  content: T;
}

export const draftKey = (userId: string, workspaceId: string, name: string) =>
  `${PREFIX}${userId}.${workspaceId}.${name}`;

export function readDraft<T>(key: string, storage = localStorage, now = Date.now()): Draft<T> | null {
  const text = storage.getItem(key);
  if (text === null || isExpired(text, now)) return null;
  try {
    return { at: Number.parseInt(text, 10), content: JSON.parse(text.slice(text.indexOf(' '))) };
  } catch {
    return null;
  }
}

/** Keeps a draft, and only the latest ones. Returns false if its user has signed out, or there is no room. */
export function keepDraft(key: string, content: unknown, storage = localStorage, now = Date.now()): boolean {
  if (!key.startsWith(prefixOf(storage.getItem(OWNER) ?? ''))) return false;
  try {
    storage.setItem(key, `${now} ${JSON.stringify(content)}`);
  } catch {
    return false;
  }
  const latestFirst = keysIn(storage).sort((a, b) => changedAt(b, storage) - changedAt(a, storage));
  for (const old of latestFirst.slice(DRAFTS_MAX)) storage.removeItem(old);
  return true;
}

export const dropDraft = (key: string, storage = localStorage) => storage.removeItem(key);

/** Keeps the drafts of this user from now on. Deletes the drafts of all others, and old ones. */
export function keepDraftsOf(userId: string, storage = localStorage, now = Date.now()): void {
  for (const key of keysIn(storage)) {
    if (!key.startsWith(prefixOf(userId)) || isExpired(storage.getItem(key)!, now)) storage.removeItem(key);
  }
  storage.setItem(OWNER, userId);
}

/** Deletes the drafts of this user, who signs out. */
export function dropDraftsOf(userId: string, storage = localStorage): void {
  storage.removeItem(OWNER);
  for (const key of keysOf(userId, storage)) storage.removeItem(key);
}

export const countDraftsOf = (userId: string, storage = localStorage) => keysOf(userId, storage).length;

const prefixOf = (userId: string) => draftKey(userId, '', '').slice(0, -1);
const keysIn = (storage: Storage) => Object.keys(storage).filter((key) => key.startsWith(PREFIX));
const keysOf = (userId: string, storage: Storage) =>
  keysIn(storage).filter((key) => key.startsWith(prefixOf(userId)));

// The text of a draft begins with its time, so that reading the time parses no content.
const changedAt = (key: string, storage: Storage) => Number.parseInt(storage.getItem(key)!, 10);
// A time far in the future is not one that was written here.
const isExpired = (text: string, now: number) => !(Math.abs(now - Number.parseInt(text, 10)) < KEPT_MS);
