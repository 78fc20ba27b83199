import { limits } from '@waymark/client/facts';
import { api, type Schemas, unwrap, WaymarkError } from '../../api/client.ts';

export type Operation = Schemas['BatchCreate']['operations'][number];
export interface Change<Item> {
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
  { wait = pause } = {},
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
      const isLimited = error instanceof WaymarkError && error.code === 'RATE_LIMITED';
      if (!isLimited) throw error;
      const waitSeconds = error.retryAfterSeconds ?? 1;
      onProgress({ done, of, waitSeconds });
      await wait(waitSeconds);
    }
  }
  return ended;
}

async function send(workspaceId: string, part: readonly Change<unknown>[]) {
  const operations = part.map(({ operation }) => operation);
  const { results } = await unwrap(
    api.POST('/batch', {
      params: { query: { workspaceId }, header: { 'Batch-Size': operations.length } },
      body: { operations },
    }),
  );
  return results;
}
