import { type EventEnvelope, type EventType, newId } from '@waymark/contracts';
import type { CallInternal } from '@waymark/service-kit/http';
import type { NotificationsContext } from '../context.ts';

const PAGE_RECORDS = 100;
/** The stream has the events of younger messages, which tell people. */
const OLD_MS = 6 * 86_400_000;

type Imported = Pick<EventEnvelope, 'type' | 'data'> & { workspace_id: string };
interface Page {
  last: string | undefined;
  imported: Imported[];
}
type Read = (call: CallInternal, query: { after?: string; limit: number }, nowMs: number) => Promise<Page>;

function pageOf<T extends { id: string; workspace_id: string }>(
  type: EventType,
  records: T[],
  dataOf: (ofWorkspace: T[]) => unknown,
): Page {
  const byWorkspace = [...Map.groupBy(records, (one) => one.workspace_id)];
  const imported = byWorkspace.map(([workspace_id, some]) => ({ type, workspace_id, data: dataOf(some) }));
  return { last: records.at(-1)?.id, imported };
}

/** Reads a page of each kind as events of an import, which tell nobody. */
const READ: Record<string, Read> = {
  async workflow(call, query) {
    const { data } = await call('snapshotWorkflows', { query });
    const imported = data.map((one): Imported => {
      return { type: 'workflow.imported', workspace_id: one.workspace_id, data: one };
    });
    return { last: data.at(-1)?.id, imported };
  },
  node: async (call, query) =>
    pageOf('nodes.imported', (await call('snapshotNodes', { query })).data, (nodes) => ({ nodes })),
  decision: async (call, query) =>
    pageOf('decisions.imported', (await call('snapshotDecisions', { query })).data, (decisions) => ({
      decisions,
    })),
  async message(call, query, nowMs) {
    const { data } = await call('snapshotMessages', { query });
    const old = data.filter(({ message }) => Date.parse(message.created_at) < nowMs - OLD_MS);
    const imported = old.flatMap(({ workspace_id, message, version, generation }): Imported[] => {
      if (generation === undefined) return [];
      const generations = { [(message.node_id ?? message.decision_id)!]: generation };
      const of = { messages: [message], version, generations };
      return [{ type: 'messages.imported', workspace_id, data: of }];
    });
    return { last: data.at(-1)?.message.id, imported };
  },
};

/** Returns a function that reads the records from before this service. After a crash it goes on. */
export function fillSubjects(
  { call, now, store }: NotificationsContext,
  handle: (event: EventEnvelope) => Promise<void>,
) {
  const actor = { type: 'service' as const, id: null, name: null, key_prefix: null };
  const nothing = { action: null, request_id: null, ip: null, user_agent: null, changes: null };
  return async (stopping: AbortSignal): Promise<void> => {
    for (const [kind, read] of Object.entries(READ)) {
      for (let after = await store.fill.position(kind); after !== null && !stopping.aborted; ) {
        const query = { ...(after && { after }), limit: PAGE_RECORDS };
        const { last = null, imported } = await read(call, query, now());
        for (const one of imported) {
          const subject = { type: 'workspace' as const, id: one.workspace_id, version: 1 };
          const time = new Date(now()).toISOString();
          await handle({ ...one, ...nothing, id: newId(), version: 1, time, actor, subject });
        }
        after = last;
        await store.fill.keep(kind, after);
      }
    }
  };
}
