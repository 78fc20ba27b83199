import { limits } from '@waymark/client/facts';
import { api, hasCode, type Schemas, WaymarkError } from '../../api/client.ts';
import { decisionFiltersTexts } from '../../texts/decision-filters.ts';
import { notifyDone, notifyProblem, notifyUndo } from '../../ui/notify.tsx';

export type Operation = Schemas['BatchCreate']['operations'][number];
interface Change<Item> {
  item: Item;
  operation: Operation;
}
export interface Ended<Item> {
  item: Item;
  /** What the operation answers, or why it failed. */
  body: Record<string, unknown> | null;
  error: Error | null;
}
export interface Progress {
  done: number;
  of: number;
  /** Seconds until the rate limit allows the next changes. */
  waitSeconds: number | null;
}

const pause = (seconds: number) => new Promise<void>((go) => setTimeout(go, seconds * 1_000));

/** Makes changes, a hundred in a request, and waits where the rate limit asks for it. */
export async function changeTogether<Item>(
  workspaceId: string,
  changes: readonly Change<Item>[],
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Ended<Item>[]> {
  const ended: Ended<Item>[] = [];
  const of = changes.length;
  while (ended.length < of) {
    const done = ended.length;
    onProgress({ done, of, waitSeconds: null });
    const part = changes.slice(done, done + limits.batchOperations);
    try {
      const results = await send(workspaceId, part);
      part.forEach(({ item }, i) => {
        const { status, body, error } = results[i]!;
        const refusal = error && new WaymarkError(new Response(null, { status }), error);
        ended.push({ item, body, error: refusal });
      });
    } catch (error) {
      const isLimited = hasCode(error, 'RATE_LIMITED');
      if (!isLimited) throw error;
      const waitSeconds = error.retryAfterSeconds ?? 1;
      onProgress({ done, of, waitSeconds });
      await pause(waitSeconds);
    }
  }
  return ended;
}

/** Shows how many changes were made, with a button to undo them, and how many failed, with one to repeat. */
export function tellEnded<Item>(
  ended: Ended<Item>[],
  words: { done: (count: number) => string; failed: (count: number, of: number) => string },
  /** An undo is not undone itself. */
  undo: ((changed: Ended<Item>[]) => void) | null,
  repeat: (left: Item[]) => void,
): void {
  const failed = ended.filter(({ error }) => error !== null);
  const changed = ended.filter(({ error }) => error === null);
  if (changed.length > 0 && undo) notifyUndo(words.done(changed.length), () => undo(changed));
  else if (changed.length > 0) notifyDone(decisionFiltersTexts.bulk.restored(changed.length));
  const left = failed.map(({ item }) => item);
  const title = words.failed(left.length, ended.length);
  if (failed[0]) notifyProblem(failed[0].error, { title, repeat: () => repeat(left) });
}

async function send(workspaceId: string, part: readonly Change<unknown>[]) {
  const operations = part.map(({ operation }) => operation);
  const headers = { 'Batch-Size': operations.length };
  const { results } = await api.post('/batch', { workspaceId, body: { operations } }, { headers });
  return results;
}
