import { patience } from './patience.ts';

/** A long wait polls seldom: it lasts a twentieth longer, and leaves the processors to what it waits for. */
const POLL_MS = { least: 10, most: 100, share: 1 / 20 };
/** Long enough for a machine that stands still now and then; only a failing test waits for so long. */
const TIMEOUT_MS = patience(60_000);

/** Polls until `check` neither throws nor returns false. Throws its last failure when the time is up. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const startedAtMs = performance.now();
  const deadline = startedAtMs + timeoutMs;
  for (;;) {
    try {
      const result = await check();
      if (result !== false) return result;
      if (performance.now() > deadline) throw new Error(`not true within ${timeoutMs} ms: ${check}`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    const waitedMs = performance.now() - startedAtMs;
    const pollMs = Math.min(POLL_MS.most, Math.max(POLL_MS.least, waitedMs * POLL_MS.share));
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
