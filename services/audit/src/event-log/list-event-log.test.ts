import { expect, it } from '@jest/globals';
import type { RequestContext } from '@waymark/service-kit/http';
import { createMetrics } from '@waymark/service-kit/process';
import { keyPrincipal } from '@waymark/testing';
import type { EventLogStore, EventPage } from '../store/event-log.ts';
import { eventWaiters } from './event-waiters.ts';
import { listEventLog } from './list-event-log.ts';

const EMPTY: EventPage = { events: [], nextAfter: 7, newest: 7 };
const FULL = { events: [{ _id: 'e', number: 8 }], nextAfter: 8, newest: 8 } as unknown as EventPage;

/** A caller that waits, a log that grows when the test says so, and the number of its readings. */
function waiting() {
  const gone = new AbortController();
  const principal = keyPrincipal();
  const access = { workspaceId: principal.workspace_id, role: null };
  const ctx = {
    principal,
    access,
    gone: () => gone.signal,
    leaveEarly: () => undefined,
    confirm: async () => {},
  } as unknown as RequestContext;
  const log = { page: EMPTY, readings: 0 };
  const store = {
    readEvents: async () => {
      log.readings += 1;
      return log.page;
    },
  } as Partial<EventLogStore> as EventLogStore;
  const waiters = eventWaiters(createMetrics('test'));
  const answer = listEventLog({ store, waiters }, ctx, { after: 7, wait: 10 });
  return { answer, gone, log, waiters, workspaceId: access.workspaceId };
}

const settled = () => new Promise(setImmediate);
const numbers = ({ body }: Awaited<ReturnType<typeof listEventLog>>) =>
  JSON.parse(body.toString()).data.map(({ number }: { number: number }) => number);

it('reads again only when the log has grown', async () => {
  const { answer, log, waiters, workspaceId } = waiting();
  await settled();
  expect(log.readings).toBe(2);
  waiters.wake('another workspace');
  await settled();
  expect(log.readings).toBe(2);
  waiters.wake(workspaceId);
  await settled();
  expect(log.readings).toBe(3);
  log.page = FULL;
  waiters.wake(workspaceId);
  expect(numbers(await answer)).toEqual([8]);
  expect(log.readings).toBe(4);
});

it('misses no event that arrives while it reads', async () => {
  const { answer, log, waiters, workspaceId } = waiting();
  log.page = FULL;
  waiters.wake(workspaceId);
  expect(numbers(await answer)).toEqual([8]);
});

it('ends with the process and with its client', async () => {
  const stopped = waiting();
  await settled();
  stopped.waiters.stop();
  expect(numbers(await stopped.answer)).toEqual([]);
  const left = waiting();
  await settled();
  left.gone.abort();
  expect(numbers(await left.answer)).toEqual([]);
});
