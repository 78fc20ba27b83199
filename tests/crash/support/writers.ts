import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { type Answer, httpCall, patience } from '@waymark/testing';
import { logLinesOf } from './log-lines.ts';

export interface Ledger {
  /** Maps an Idempotency-Key to the id of the decision that the service acknowledged. */
  acknowledged: Map<string, string>;
  /** Requests that a client repeated because it got no usable answer. */
  unknown: number;
}

export interface Writers {
  ledger: Ledger;
  /** Resolves when `count` more decisions have been acknowledged. */
  afterMore(count: number): Promise<void>;
  /** Returns the longest time between two acknowledgements since the previous call. */
  takeSilenceMs(): number;
  /** Sends the request of a decision again. Null without a usable answer. */
  repeat(idempotencyKey: string): Promise<Answer | null>;
  /** Stops the writers after each has its last decision acknowledged. */
  stop(): Promise<void>;
}

const RETRY_MS = 50;
/** A write that is not acknowledged after this long counts as lost availability, and fails the test. */
const PATIENCE_MS = patience(60_000);

/**
 * Starts clients that create decisions sequentially. A client repeats a request with an unknown result under
 * the same Idempotency-Key.
 */
export function startWriters(options: {
  count: number;
  /** The URL of one gateway, or of several that are used in turn. */
  baseUrls: readonly string[];
  key: string;
  workspaceId: string;
  /** The folder of the process logs, which explain an unexpected answer. */
  directory: string;
  /** The rate of all writers together. Without it, each continues as soon as it has its answer. */
  perSecond?: number;
}): Writers {
  const { count, baseUrls, key, workspaceId, directory, perSecond } = options;
  const ledger: Ledger = { acknowledged: new Map(), unknown: 0 };
  const agent = new http.Agent({ keepAlive: true });
  const waiting = new Set<{ at: number; resolve: () => void }>();
  let stopping = false;

  let turns = 0;
  let lastAt = performance.now();
  let silenceMs = 0;

  async function attempt(idempotencyKey: string): Promise<Answer | null> {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey };
    const body = { title: `Decision ${idempotencyKey}`, outcome: 'success' };
    turns += 1;
    const baseUrl = baseUrls[turns % baseUrls.length]!;
    try {
      return await httpCall(baseUrl, 'POST', '/decisions', { agent, query: { workspaceId }, headers, body });
    } catch {
      return null;
    }
  }

  async function logOne(): Promise<void> {
    const idempotencyKey = randomUUID();
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await attempt(idempotencyKey);
      if (answer?.status === 201) {
        ledger.acknowledged.set(idempotencyKey, answer.body.id);
        const now = performance.now();
        silenceMs = Math.max(silenceMs, now - lastAt);
        lastAt = now;
        return;
      }
      const mayComeLater = answer === null || answer.status === 503 || answer.status === 409;
      if (!mayComeLater) {
        const logged = await logLinesOf(directory, answer.body.requestId);
        throw new Error(`a write answered ${answer.status}: ${answer.text}\n${logged}`);
      }
      if (performance.now() > deadline)
        throw new Error(`a write found no end in ${PATIENCE_MS} ms: ${answer?.text}`);
      ledger.unknown += 1;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async function write(_: unknown, turn: number): Promise<void> {
    const intervalMs = perSecond === undefined ? 0 : (count * 1000) / perSecond;
    let nextAtMs = performance.now() + (turn * intervalMs) / count;
    while (!stopping) {
      const waitMs = nextAtMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      nextAtMs = Math.max(nextAtMs + intervalMs, performance.now());
      await logOne();
      for (const waiter of waiting) {
        if (ledger.acknowledged.size >= waiter.at) {
          waiting.delete(waiter);
          waiter.resolve();
        }
      }
    }
  }

  const writers = Promise.all(Array.from({ length: count }, write));
  const failed = writers.then(() => new Promise<never>(() => undefined));
  return {
    ledger,
    afterMore(count) {
      const at = ledger.acknowledged.size + count;
      return Promise.race([failed, new Promise<void>((resolve) => waiting.add({ at, resolve }))]);
    },
    takeSilenceMs() {
      const taken = silenceMs;
      silenceMs = 0;
      return taken;
    },
    repeat: attempt,
    async stop() {
      stopping = true;
      await writers;
      agent.destroy();
    },
  };
}
