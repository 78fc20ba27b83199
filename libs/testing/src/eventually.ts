const POLL_MS = 10;

/** Polls until `check` neither throws nor returns false, for what arrives asynchronously. Throws its last failure. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 5_000): Promise<T> {
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
