import type { Agent } from 'node:http';
import { BASE_PATH, eventStream } from '@waymark/contracts';
import { eventually, httpCall } from '@waymark/testing';
import type { NewWorkspace } from '../../dev/new-workspace.ts';
import { eventOf, type Installation, sample } from './installation.ts';

/** A source of deliveries. The agents are connection pools that a run opens and closes. */
export interface Source {
  /** The cheapest way to cause one delivery; a burst consists of these. */
  publish(agent: Agent): Promise<void>;
  /**
   * Makes one API call that causes a delivery. Returns the record's id in the payload, or null if the call
   * is refused.
   */
  call(agent: Agent): Promise<string | null>;
  /** Returns the processor time so far, in milliseconds, of the processes that handle a delivery. */
  cpuTimes(): Promise<Record<string, number>>;
  /** Returns the duration of each part in milliseconds, from the times of the calls and the receipts. */
  partsOf?(
    calledAtMs: ReadonlyMap<string, number>,
    arrivedAtMs: ReadonlyMap<string, number>,
  ): Promise<Record<string, number[]>>;
}

/** Publishes events like the decisions service, or calls POST /decisions through the gateway. */
export async function sourceOf(installation: Installation, workspace: NewWorkspace): Promise<Source> {
  const { baseUrl, publisher, webhooks, cpuTimes } = installation;
  const { workspaceId, key } = workspace;
  const stream = eventStream('waymark');
  const js = await eventually(() => publisher.nats.jetstream() ?? Promise.reject(new Error('NATS is away')));
  return {
    cpuTimes,
    async publish() {
      const event = eventOf(workspaceId);
      await js.publish(stream.subject(event.type), JSON.stringify(event), { msgID: event.id });
    },
    async call(agent) {
      const answer = await httpCall(baseUrl.replace(BASE_PATH, ''), 'POST', `${BASE_PATH}/decisions`, {
        agent,
        headers: { authorization: `Bearer ${key}` },
        query: { workspaceId },
        body: sample,
      });
      return answer.status === 201 ? answer.body.id : null;
    },
    async partsOf(calledAtMs, arrivedAtMs) {
      const parts: Record<string, number[]> = { commit: [], event: [], store: [], send: [] };
      const stored = webhooks
        .collection('deliveries')
        .find({ workspace_id: workspaceId, 'attempts.0': { $exists: true } });
      for await (const { payload, created_at, attempts } of stored) {
        const { data, created_at: eventTime } = JSON.parse(payload);
        const receivedAtMs = arrivedAtMs.get(data.id);
        if (receivedAtMs === undefined) continue;
        const moments = [
          calledAtMs.get(data.id)!,
          Date.parse(eventTime),
          Date.parse(created_at),
          Date.parse(attempts[0].started_at),
          receivedAtMs,
        ];
        for (const [i, part] of Object.keys(parts).entries()) {
          parts[part]!.push(moments[i + 1]! - moments[i]!);
        }
      }
      return parts;
    },
  };
}
