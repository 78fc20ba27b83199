const POLL_MS = 10;
/** What takes a moment takes many on a busy machine; only a test that fails waits for so long. */
const PATIENCE_MS = 60_000;

/** Polls until `check` neither throws nor returns false, for what arrives asynchronously. Throws its last failure. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
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
