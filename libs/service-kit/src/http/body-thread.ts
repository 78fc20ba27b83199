import { parentPort } from 'node:worker_threads';
import { ApiError, allOperations, type OperationId } from '@waymark/contracts';
import type { ThreadAnswer } from '../jobs/worker-thread.ts';
import type { BodyTask, ParsedBody } from './large-bodies.ts';
import { parseBody } from './parse-body.ts';

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

function answer(task: BodyTask & { number: number }): ThreadAnswer {
  const { number } = task;
  try {
    return { number, result: parse(task) };
  } catch (error) {
    return { number, error: error as Error };
  }
}

parentPort!.on('message', (task: BodyTask & { number: number }) => parentPort!.postMessage(answer(task)));
