import { parentPort } from 'node:worker_threads';
import { findHits } from '../query/find-hits.ts';
import { foundText } from '../query/hits-json.ts';
import type { TaskAnswer, TaskMessage } from './protocol.ts';
import { taskTurns } from './task-queue.ts';
import { type WorkspaceIndex, workspaceIndex } from './workspace-index.ts';

const indexes = new Map<string, WorkspaceIndex>();
const turns = taskTurns<TaskMessage>();
let isWorking = false;

async function run({ task, workspaceId, input }: TaskMessage): Promise<unknown> {
  const index = indexes.get(workspaceId);
  if (task === 'drop') {
    index?.close();
    indexes.delete(workspaceId);
    return null;
  }
  if (task === 'find') {
    if (!index) throw new Error('there is no index of this workspace');
    return foundText(await findHits(index.source, input.request));
  }
  const growing = index ?? workspaceIndex();
  indexes.set(workspaceId, growing);
  growing.apply(input.changes);
  return { bytes: growing.bytes(), trigrams: growing.trigrams() };
}

/** One after another: a search must not see half of a change. */
async function work(): Promise<void> {
  isWorking = true;
  for (;;) {
    // Lets in the searches that have come meanwhile.
    if (turns.isQuiet()) await new Promise(setImmediate);
    const message = turns.next();
    if (!message) break;
    const { number } = message;
    const answer: TaskAnswer = await run(message).then(
      (result) => ({ number, result }),
      (error: Error) => ({ number, error }),
    );
    parentPort!.postMessage(answer);
  }
  isWorking = false;
}

parentPort!.on('message', (message: TaskMessage) => {
  turns.add(message, message.task === 'find');
  if (!isWorking) void work();
});
