import { parentPort } from 'node:worker_threads';
import { findHits } from '../find-hits.ts';
import { foundText } from '../found-text.ts';
import type { TaskAnswer, TaskMessage } from './protocol.ts';
import { type WorkspaceIndex, workspaceIndex } from './workspace-index.ts';

const indexes = new Map<string, WorkspaceIndex>();
/** One after another: a search must not see half of a change. */
let turn = Promise.resolve();

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

parentPort!.on('message', (message: TaskMessage) => {
  turn = turn.then(async () => {
    const { number } = message;
    const answer: TaskAnswer = await run(message).then(
      (result) => ({ number, result }),
      (error: Error) => ({ number, error }),
    );
    parentPort!.postMessage(answer);
  });
});
