import { parentPort } from 'node:worker_threads';
import { ApiError, allOperations, type OperationId } from '@waymark/contracts';
import { answerTask } from '../jobs/worker-thread.ts';
import type { BodyTask, ParsedBody } from './large-bodies.ts';
import { parseBody } from './read-body.ts';

function parse({ operationId, raw }: BodyTask): ParsedBody {
  try {
    return { json: JSON.stringify(parseBody(allOperations[operationId as OperationId], Buffer.from(raw))) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, issues } = error.details;
    return {
      refusal: { code: error.code, details: { ...(message && { message }), ...(issues && { issues }) } },
    };
  }
}

parentPort!.on('message', (task: BodyTask & { number: number }) =>
  answerTask(task.number, () => parse(task)),
);
