import { createWaymarkClient, iterate, type ListPath, unwrap } from '../../src/index.ts';
import { routes } from '../../src/operations.ts';

export interface Step {
  name: string;
  operation: keyof typeof routes;
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  file?: string;
  contentType?: string;
  idempotencyKey?: string;
  ifMatch?: string;
  items?: true;
  times?: number;
  apiKey?: string;
  answers?: string[];
  eventually?: true;
  webhooks?: true;
  expect?: object;
  save?: Record<string, string>;
}

/** What a call returned or threw. */
export type Outcome = { result: unknown } | { error: unknown };

interface Surroundings {
  /** The number of the step. */
  number: number;
  env: Record<string, string>;
}

/** The client, for an operation that is only known at run time. */
interface AnyClient {
  request(method: string, path: string, init: object): Parameters<typeof unwrap<unknown>>[0];
}

/** Calls the operation of a step with the client. */
export async function callOperation(step: Step, { number, env }: Surroundings): Promise<Outcome> {
  const baseUrl = step.answers
    ? `${env['WAYMARK_PROXY_URL']}/${number}/${step.answers.join()}/v1`
    : env['WAYMARK_URL']!;
  const client = createWaymarkClient({ baseUrl, apiKey: step.apiKey ?? env['WAYMARK_API_KEY']! });
  const query = Object.entries(step.query ?? {}).map(([name, value]) => [name, String(value)]);
  const { method, path } = routes[step.operation];
  const init = {
    params: { path: step.path ?? {}, query: Object.fromEntries(query) },
    headers: {
      ...(step.idempotencyKey && { 'idempotency-key': step.idempotencyKey }),
      ...(step.ifMatch && { 'if-match': step.ifMatch }),
      ...(step.operation === 'batch' && { 'batch-size': String((step.body!['operations'] as []).length) }),
      ...(step.contentType && { 'content-type': step.contentType }),
    },
    ...(step.file !== undefined
      ? { body: new Blob([step.file]), bodySerializer: (body: Blob) => body }
      : step.body && { body: step.body }),
    ...(step.expect && 'text' in step.expect && { parseAs: 'stream' }),
  };
  try {
    if (step.items)
      return { result: await Array.fromAsync(iterate(client, path as ListPath, init as never)) };
    const result = await unwrap((client as unknown as AnyClient).request(method.toLowerCase(), path, init));
    return { result: result instanceof ReadableStream ? await new Response(result).text() : result };
  } catch (error) {
    return { error };
  }
}
