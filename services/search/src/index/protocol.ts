import type { FindRequest } from '../query/find-hits.ts';
import type { FoundText } from '../query/hits-json.ts';
import type { IndexedChange } from '../store/items.ts';
import type { TrigramBuckets } from './trigram-counts.ts';

/** What an index thread does, by name: its input and its result. */
export interface IndexTasks {
  /** Takes changes into a workspace's index, which is made when it is not there; answers with its size and its trigrams. */
  apply: { input: { changes: IndexedChange[] }; result: { bytes: number; trigrams: TrigramBuckets[] } };
  find: { input: { request: FindRequest }; result: FoundText };
  drop: { input: Record<string, never>; result: null };
}
export type IndexTask = keyof IndexTasks;

export type TaskMessage = {
  [T in IndexTask]: { number: number; task: T; workspaceId: string; input: IndexTasks[T]['input'] };
}[IndexTask];

export type TaskAnswer = { number: number; result: unknown } | { number: number; error: Error };
