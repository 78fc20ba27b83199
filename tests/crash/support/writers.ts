import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { type Answer, httpCall } from '@waymark/testing';
import { logLinesOf } from './log-lines.ts';

export interface Ledger {
  /** Idempotency-Key -> id of the decision that the service acknowledged. */
  acknowledged: Map<string, string>;
  /** Answers that a client did not get or could not use, and asked for again. */
  unknown: number;
}

export interface Writers {
  ledger: Ledger;
  /** Resolves when `count` more decisions have been acknowledged. */
  afterMore(count: number): Promise<void>;
  /** The longest time between two acknowledgements since it was last asked for. */
  takeSilenceMs(): number;
  /** Lets every writer bring its last decision to an acknowledged end. */
  stop(): Promise<void>;
}

const RETRY_MS = 50;
/** A write that is not acknowledged after this long counts as lost availability, and fails the test. */
const PATIENCE_MS = 60_000;

/**
 * Clients that log decisions one after another; what they cannot know the end of they repeat with its
 * Idempotency-Key.
 */
export function startWriters(options: {
  count: number;
  /** Of one gateway, or of several that take turns. */
  baseUrls: readonly string[];
  key: string;
  workspaceId: string;
  /** Where the processes log: what an unexpected answer is explained with. */
  directory: string;
  /** Of all writers together; without it each goes on as soon as it has its answer. */
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
    async stop() {
      stopping = true;
      await writers;
      agent.destroy();
    },
  };
}
