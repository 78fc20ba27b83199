import { WaymarkError } from '@waymark/client/api';

export interface Progress {
  done: number;
  of: number;
  /** Seconds until the rate limit allows the next change. */
  waitSeconds: number | null;
}

/**
 * Runs a change for each item, one after the other, and waits where the rate limit asks for it. Returns what
 * failed and why.
 */
export async function changeMany<Item>(
  items: readonly Item[],
  change: (item: Item) => Promise<unknown>,
  onProgress: (progress: Progress) => void,
  wait = (seconds: number) => new Promise<void>((go) => setTimeout(go, seconds * 1_000)),
): Promise<{ item: Item; error: unknown }[]> {
  const failed: { item: Item; error: unknown }[] = [];
  const of = items.length;
  for (let done = 0; done < of; ) {
    onProgress({ done, of, waitSeconds: null });
    const item = items[done]!;
    try {
      await change(item);
    } catch (error) {
      const waitSeconds = pauseOf(error);
      if (waitSeconds !== null) {
        onProgress({ done, of, waitSeconds });
        await wait(waitSeconds);
        continue;
      }
      failed.push({ item, error });
    }
    done += 1;
  }
  return failed;
}

function pauseOf(error: unknown): number | null {
  if (!(error instanceof WaymarkError) || error.code !== 'RATE_LIMITED') return null;
  return error.retryAfterSeconds ?? 1;
}
