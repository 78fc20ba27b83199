import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { BASE_PATH, operationList, operationMatcher } from '@waymark/contracts';
import { apiDocument } from '../../../dev/sdks/description.ts';
import { snakeCase } from '../../../dev/sdks/names.ts';
import { type ExampleOptions, type ExampleStep, exampleSteps } from './example-steps.ts';

export interface ExampleApi {
  url: string;
  /** Calls every operation with the example of its request, and expects the example of its answer. */
  steps: ExampleStep[];
  stop(): Promise<void>;
}

/** Starts a server that compares requests with their examples in openapi.json, and answers with examples. */
export async function startExampleApi(options: ExampleOptions): Promise<ExampleApi> {
  const match = operationMatcher(operationList);
  const steps = exampleSteps(apiDocument(), options);

  function differenceOf(request: IncomingMessage, body: string): { step?: ExampleStep; error?: string } {
    const url = new URL(request.url!, 'http://localhost');
    const path = decodeURI(url.pathname.slice(BASE_PATH.length));
    const found = match(request.method!, path);
    if (!found || !('match' in found)) return { error: `no operation is ${request.method} ${path}` };
    const { operation, params } = found.match;
    const step = steps.find((each) => each.operation === operation.id)!;
    const query = Object.entries(step.query ?? {}).map(([name, value]) => [name, String(value)]);
    const sent = {
      path: params,
      query: Object.fromEntries(url.searchParams),
      body: step.file === undefined ? inSnakeCase(body ? JSON.parse(body) : {}) : body,
      idempotencyKey: request.headers['idempotency-key'],
    };
    const expected = {
      path: step.path ?? {},
      query: Object.fromEntries(query),
      body: step.file ?? inSnakeCase(step.body ?? {}),
      idempotencyKey: step.idempotencyKey,
    };
    if (isDeepStrictEqual(sent, expected)) return { step };
    return { error: `sent ${JSON.stringify(sent)} instead of ${JSON.stringify(expected)}` };
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { step, error } = differenceOf(request, body);
    if (!step) {
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: 'VALIDATION_ERROR', message: error }));
    }
    const { status, contentType, content } = step.answer;
    response.writeHead(status, contentType ? { 'content-type': contentType } : {}).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}`,
    steps,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Bodies may have their names in either spelling. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [snakeCase(name), inSnakeCase(each)]),
  );
}
