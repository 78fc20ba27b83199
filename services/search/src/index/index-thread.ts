import { parentPort } from 'node:worker_threads';
import { answerTask } from '@waymark/service-kit/jobs';
import { findHits } from '../query/find-hits.ts';
import type { TaskMessage } from './index-threads.ts';
import { type WorkspaceIndex, workspaceIndex } from './workspace-index.ts';

const indexes = new Map<string, WorkspaceIndex>();
const writes: TaskMessage[] = [];

async function run({ task, workspaceId, input }: TaskMessage): Promise<unknown> {
  const index = indexes.get(workspaceId);
  if (task === 'drop') {
    index?.close();
    indexes.delete(workspaceId);
    return null;
  }
  if (task === 'find') {
    if (!index) throw new Error('there is no index of this workspace');
    return findHits(index.source, input.request);
  }
  const growing = index ?? workspaceIndex();
  indexes.set(workspaceId, growing);
  growing.apply(input.changes);
  return growing.bytes();
}

const answer = (message: TaskMessage) => answerTask(message.number, () => run(message));

function writeNext(): void {
  void answer(writes.shift()!);
  if (writes.length > 0) setImmediate(writeNext);
}

// A search runs when it arrives, and one write runs in each round of the event loop, so neither delays the
// other for long. A search awaits no input or output, so no write runs in the middle of it.
parentPort!.on('message', (message: TaskMessage) => {
  if (message.task === 'find') return void answer(message);
  writes.push(message);
  if (writes.length === 1) setImmediate(writeNext);
});
