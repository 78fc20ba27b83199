import { expect } from '@jest/globals';
import type { Decision } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import type { ProductProcesses } from './product-processes.ts';
import type { Ledger } from './writers.ts';

const PAUSE_MS = 20;

/** What the functions here use of a product. */
type Workspace = Pick<ProductProcesses, 'call' | 'workspaceId'>;

/** Every decision of the workspace, page by page. */
export async function allDecisions(product: Workspace): Promise<Decision[]> {
  const found: Decision[] = [];
  let cursor: string | null = null;
  do {
    const answer = await product.call('GET', '/decisions', {
      query: { workspaceId: product.workspaceId, limit: 500, ...(cursor && { cursor }) },
    });
    found.push(...answer.body.decisions);
    cursor = answer.body.next_cursor;
  } while (cursor);
  return found;
}

interface Line {
  action?: string;
  resource_id?: string;
}

/** Returns the ids of the decisions whose creation is in the audit log. */
export async function auditedDecisions(product: Workspace): Promise<string[]> {
  const answer = await product.call('GET', '/audit-log/export', {
    query: { workspaceId: product.workspaceId },
  });
  const lines = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return lines.filter((line) => line.action === 'decision.create').map((line) => line.resource_id!);
}

/**
 * Returns the ids that only one list has and those that a list has twice; empty lists when both match one to
 * one.
 */
export function differences(left: string[], right: string[]) {
  const twice = (ids: string[], seen = new Set<string>()) =>
    ids.filter((id) => seen.has(id) || !seen.add(id));
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  return {
    onlyLeft: left.filter((id) => !inRight.has(id)),
    onlyRight: right.filter((id) => !inLeft.has(id)),
    twice: [...twice(left), ...twice(right)],
  };
}
export const none = { onlyLeft: [], onlyRight: [], twice: [] };

/**
 * Expects that each acknowledged write is stored, counted and audited once, and that the audit chain is
 * valid.
 */
export async function expectNothingLost(product: Workspace, ledger: Ledger): Promise<void> {
  const acknowledged = [...ledger.acknowledged.values()];
  const stored = (await allDecisions(product)).map((decision) => decision.id);
  expect(differences(stored, acknowledged)).toEqual(none);
  const query = { workspaceId: product.workspaceId };
  const metrics = await product.call('GET', '/metrics', { query });
  expect(metrics.body).toMatchObject({
    decisions_total: stored.length,
    decisions_with_outcome: stored.length,
  });
  await eventually(async () => {
    expect(differences(await auditedDecisions(product), acknowledged)).toEqual(none);
  });
  const verified = await product.call('GET', '/audit-log/verify', { query });
  expect(verified.body).toMatchObject({ valid: true, fault: null });
  console.log(`${acknowledged.length} writes acknowledged, ${ledger.unknown} answers unknown and repeated`);
}

/** Reads the event log while processes are killed, and fails when a number is missing, repeated or gone. */
export function followEventLog({ call, workspaceId }: Workspace) {
  const created: string[] = [];
  let after = 0;
  let isStopped = false;
  async function follow(): Promise<void> {
    while (!isStopped) {
      const query = { workspaceId, after, limit: 50, wait: 1 };
      const answer = await call('GET', '/event-log', { query }).catch(() => null);
      expect(answer?.status).not.toBe(410);
      if (answer?.status !== 200) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      for (const { number, type, subject } of answer?.status === 200 ? answer.body.data : []) {
        expect(number).toBe(after + 1);
        after = number;
        if (type === 'decision.created') created.push(subject.id);
      }
    }
  }
  const following = follow();
  // Reported by expectCreated.
  following.catch(() => undefined);
  return {
    /** Waits until the log has these decisions, each once, and ends. */
    async expectCreated(ids: string[]): Promise<void> {
      const isThere = () => expect(differences(created, ids)).toEqual(none);
      await Promise.race([following, eventually(isThere)]);
      isStopped = true;
      await following;
      isThere();
    },
  };
}
