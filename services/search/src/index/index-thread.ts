import { parentPort } from 'node:worker_threads';
import { findHits } from '../find-hits.ts';
import { foundText } from '../found-text.ts';
import type { TaskAnswer, TaskMessage } from './protocol.ts';
import { type WorkspaceIndex, workspaceIndex } from './workspace-index.ts';

const indexes = new Map<string, WorkspaceIndex>();
/** In the order of their turns. Whoever searches has taken in all that it asks for before, so that it may overtake the others. */
const searches: TaskMessage[] = [];
const others: TaskMessage[] = [];
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
  while (searches.length + others.length > 0) {
    // Lets in the searches that have come meanwhile.
    if (searches.length === 0) await new Promise(setImmediate);
    const message = (searches.shift() ?? others.shift())!;
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
  (message.task === 'find' ? searches : others).push(message);
  if (!isWorking) void work();
});
