import { eventStream } from '@waymark/contracts';
import { followSubject } from '@waymark/service-kit/events';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import { eventLogStore } from '../store/event-log.ts';
import { createLogAppender } from './append-events.ts';
import { eventWaiters } from './event-waiters.ts';

export type EventLog = ReturnType<typeof openEventLog>;

/** The event log of each workspace. Replicas tell each other over plain NATS which logs have grown. */
export function openEventLog({
  database,
  nats,
  now,
  config,
  metrics,
  workspaces,
}: Pick<ServiceRuntime, 'database' | 'nats' | 'now' | 'config' | 'metrics' | 'workspaces'>) {
  const subject = eventStream(config.natsPrefix).eventLog;
  const store = eventLogStore(database);
  const waiters = eventWaiters(metrics);
  followSubject(nats, subject, (ids) => ids.split(' ').forEach(waiters.wake), waiters.wakeAll);

  function announce(workspaceIds: readonly string[]): void {
    workspaceIds.forEach(waiters.wake);
    nats.connection()?.publish(subject, workspaceIds.join(' '));
  }

  return { store, waiters, append: createLogAppender({ store, workspaces, announce, now }) };
}
