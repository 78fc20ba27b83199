import type { FindRequest } from '../query/find-hits.ts';
import type { HitsJson } from '../query/hits-json.ts';
import type { IndexedChange } from '../store/items.ts';
import type { TrigramBuckets } from './trigram-counts.ts';

/** The tasks of an index thread by name, each with its input and its result. */
export interface IndexTasks {
  /** Takes changes into a workspace's index, which is created when it is not there. */
  apply: { input: { changes: IndexedChange[] }; result: { bytes: number; trigrams: TrigramBuckets[] } };
  find: { input: { request: FindRequest }; result: HitsJson };
  drop: { input: Record<string, never>; result: null };
}
export type IndexTask = keyof IndexTasks;

export type TaskMessage = {
  [T in IndexTask]: { number: number; task: T; workspaceId: string; input: IndexTasks[T]['input'] };
}[IndexTask];

export type TaskAnswer = { number: number; result: unknown } | { number: number; error: Error };
