import { randomUUID } from 'node:crypto';
import {
  type BatchCreate,
  type BatchResults,
  headers as headerNames,
  type ImportJob,
  type Operation,
} from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import { exitOf } from '../output/call-failure.ts';
import { lineOf } from '../output/cell.ts';
import { printAnswer, printIds } from '../output/print-answer.ts';
import { saveStream } from '../output/save-stream.ts';
import { connectionOf } from '../profiles/connection.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { followImport } from './follow-import.ts';
import { type Parameter, parsedValue, takesIdempotencyKey, takesWorkspace, WORKSPACE } from './parameters.ts';
import { patientSender } from './patient-sender.ts';
import { readFileBody, readJsonBody } from './read-body.ts';
import { readPages } from './read-pages.ts';
import { type CallInput, createSender, json } from './send.ts';

/** The flags of a command, by their names in camelCase. */
export type OperationOptions = Record<string, string | string[] | boolean | undefined>;

interface Given {
  positional: Parameter[];
  values: string[];
  flags: Parameter[];
  options: OperationOptions;
}

/** Whether an operation removes more than one record can have. Its command asks before. */
export const isFinal = ({ id }: Operation): boolean => id === 'deleteWorkspace';

/** Calls an operation with the values of the command line, and prints its answer. */
export async function runOperation(operation: Operation, given: Given, terminal: Terminal): Promise<void> {
  const { options } = given;
  const connection = await connectionOf(terminal, options['profile'] as string | undefined);
  const input = await inputOf(operation, given, connection.workspaceId, terminal);
  if (isFinal(operation) && !options['yes'])
    await confirm('Delete the workspace with all its records?', terminal);
  const signal = terminal.interruption?.();
  const send = createSender(
    options['debug'] ? { ...connection, fetch: debugFetch(terminal) } : connection,
    signal,
  );
  const { contentType, status } = operation.response;
  if (contentType) {
    const file = options['output'] as string | undefined;
    return saveStream(await send(operation, input), { file, baseUrl: connection.baseUrl }, terminal);
  }
  if (status === 204) return void (await send(operation, input));
  const print = (answer: unknown) =>
    options['output'] === 'id'
      ? printIds(answer, terminal)
      : printAnswer(answer, { isJson: options['json'] === true }, terminal);
  if (options['all']) {
    return print(await readPages(operation, input, patientSender(send, terminal, signal), terminal));
  }
  if (operation.batch) {
    const answer = await send(operation, input, json<BatchResults>);
    const isTable = !options['json'] && terminal.columns !== undefined;
    print(isTable ? { results: batchRows(answer, input.body as BatchCreate) } : answer);
    return assertAllSucceeded(answer);
  }
  if (!operation.bodyContentTypes) return print(await send(operation, input, json));
  const started = await send(operation, input, json<ImportJob>);
  return print(await followImport(started, send, terminal, signal));
}

async function inputOf(
  operation: Operation,
  { positional, values, flags, options }: Given,
  workspaceOfProfile: string | undefined,
  terminal: Terminal,
): Promise<CallInput> {
  const input = { path: {}, query: {}, headers: {} } as CallInput & { body?: Record<string, unknown> | Blob };
  const fields: Record<string, unknown> = {};
  const places: Record<Parameter['place'], Record<string, unknown>> = {
    path: input.path,
    query: input.query,
    body: fields,
  };
  for (const [index, parameter] of positional.entries()) {
    places[parameter.place][parameter.name] = values[index];
  }
  for (const parameter of flags) {
    const value = options[parameter.name];
    if (value === undefined) continue;
    places[parameter.place][parameter.name] =
      typeof value === 'string' ? parsedValue(parameter, value) : value;
  }
  const takes = takesWorkspace(operation);
  const workspace = options['workspace'] ?? workspaceOfProfile;
  if (takes && workspace) places[takes][WORKSPACE] = workspace;
  if (takesIdempotencyKey(operation)) {
    input.headers[headerNames.idempotencyKey.toLowerCase()] = String(
      options['idempotencyKey'] ?? randomUUID(),
    );
  }
  if (options['ifMatch']) input.headers['if-match'] = String(options['ifMatch']);
  const body = options['body'] as string | undefined;
  if (operation.bodyContentTypes) {
    input.body = await readFileBody(body, terminal);
    input.headers['content-type'] = contentTypeOf(body, operation.bodyContentTypes);
  } else if (operation.body) {
    input.body = { ...(body === undefined ? {} : await readJsonBody(body, terminal)), ...fields };
    const parts = input.body['operations'];
    if (operation.batch && Array.isArray(parts)) {
      input.headers[headerNames.batchSize.toLowerCase()] = String(parts.length);
    }
  }
  return input;
}

/** Takes the type that the name of the file ends with, or else the first one. */
function contentTypeOf(body: string | undefined, types: readonly string[]): string {
  const ending = body?.split('.').at(-1)?.toLowerCase();
  return types.find((type) => type.endsWith(`/${ending}`)) ?? types[0]!;
}

const SECRET = new Set(['authorization', 'x-api-key', 'cookie', 'set-cookie']);

/** Returns a fetch that prints each exchange without its bodies and credentials, which may be secret. */
const debugFetch =
  ({ error: print }: Terminal) =>
  async (request: Request): Promise<Response> => {
    const begun = performance.now();
    print(`> ${request.method} ${request.url}`);
    printHeaders('>', request.headers);
    const response = await fetch(request);
    print(`< ${response.status} ${response.statusText} after ${Math.round(performance.now() - begun)} ms`);
    printHeaders('<', response.headers);
    return response;

    function printHeaders(sign: string, headers: Headers): void {
      for (const [name, value] of headers) print(`${sign} ${name}: ${SECRET.has(name) ? '***' : value}`);
    }
  };

/** Returns a row for each result, with its operation and its record, which a result does not name. */
function batchRows({ results }: BatchResults, { operations }: BatchCreate): Record<string, unknown>[] {
  return results.map(({ status, body, error }, index) => ({
    number: index + 1,
    operation: operations[index]?.operation,
    status,
    id: body?.['id'],
    message: error?.message ?? error?.error,
  }));
}

/** Throws CommandError if an operation failed, with the exit code that all failed ones have by themselves. */
function assertAllSucceeded({ results }: BatchResults): void {
  const failed = results.flatMap(({ status, error }, index) => (error ? [{ status, error, index }] : []));
  const [first] = failed;
  if (!first) return;
  const exits = new Set(failed.map(({ status, error }) => exitOf({ status, code: error.error })));
  const [exit] = exits.size === 1 ? exits : ['failed' as const];
  const { error, index } = first;
  const why = `operation ${index + 1}: ${error.message ?? error.error}`;
  throw new CommandError(lineOf(`${failed.length} of ${results.length} operations failed; ${why}`), {
    exit: exit!,
  });
}
