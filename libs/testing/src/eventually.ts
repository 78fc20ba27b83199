import { patience } from './patience.ts';

const POLL_MS = 10;
/** Long enough for a machine that stands still now and then; only a failing test waits for so long. */
const TIMEOUT_MS = patience(60_000);

/** Polls until `check` neither throws nor returns false. Throws its last failure when the time is up. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      const result = await check();
      if (result !== false) return result;
      if (performance.now() > deadline) throw new Error(`not true within ${timeoutMs} ms: ${check}`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
