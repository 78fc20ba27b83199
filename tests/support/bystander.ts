import type { Answer } from '@waymark/testing';
import { patience } from '@waymark/testing';

/** Of a request of another workspace. A service that is blocked by hostile input takes longer. */
const LATENCY_MAX_MS = patience(2_000);

/** Runs `work` while `call` is sent once after another. `harmed` are its answers that are not 200 or late. */
export async function withBystander<T>(work: () => Promise<T>, call: () => Promise<Answer>) {
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const harmed: { status: number; ms: number }[] = [];
  while (!isOver) {
    const startedAt = performance.now();
    const { status } = await call();
    const ms = performance.now() - startedAt;
    if (status !== 200 || ms > LATENCY_MAX_MS) harmed.push({ status, ms });
  }
  return { result: await working, harmed };
}
