import { BASE_PATH } from '@waymark/contracts';
import { describeApi, type Parameter } from '../../../dev/sdks/description.ts';
import type { JsonSchema } from '../../../dev/sdks/schemas.ts';
import { codeBlock } from './markdown.ts';
import { cliSample } from './samples/cli.ts';
import { goSamples } from './samples/go.ts';
import { type MethodNames, methodNames } from './samples/method-names.ts';
import { pythonSamples } from './samples/python.ts';

/** An operation as openapi.json has it, with the example of its body. */
export interface CalledOperation {
  id: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** `[]` for an operation without authentication. */
  security: readonly Record<string, unknown>[];
  body: Record<string, unknown> | undefined;
  requiredFields: readonly string[];
  /** The media type of the answer. */
  answerType: string | undefined;
}

type Call = CalledOperation & { isDocument: boolean };

/** The value of all ids in the examples of openapi.json. */
const EXAMPLE_ID = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';
const VALUES: Record<string, string> = { emoji: 'heart', externalId: 'PROJ-1234', q: 'database' };
/** How the client reads an answer that is not JSON. */
const READ_AS: Record<string, string> = {
  'application/zip': 'blob',
  'application/x-ndjson': 'text',
  'text/csv': 'text',
  'text/calendar': 'text',
  'text/event-stream': 'stream',
};

const api = describeApi();
const described = new Map(api.operations.map((operation) => [operation.id, operation]));
const pythonSample = pythonSamples(api.inputs);
const goSample = goSamples(api);

/** The call of an operation with curl, the SDKs and the command line, as Markdown. */
export function exampleCalls(operation: CalledOperation): string {
  const isDocument = operation.body !== undefined && Object.keys(operation.body).length === 0;
  const call = { ...operation, body: ownFields(operation), isDocument };
  const sample = {
    operation: described.get(operation.id)!,
    names: namesOf(operation.id),
    values: Object.fromEntries([...required(operation, 'path'), ...required(operation, 'query')]),
    body: call.body,
    answerType: operation.answerType ?? '',
  };
  const command = cliSample(sample);
  return [
    codeBlock('sh curl', curlOf(call)),
    codeBlock('ts TypeScript', typeScriptOf(call)),
    codeBlock('python Python', pythonSample(sample)),
    codeBlock('go Go', goSample(sample)),
    ...(command === null ? [] : [codeBlock('sh CLI', command)]),
  ].join('\n\n');
}

/** The name of an operation in each SDK and on the command line. */
export const namesOf = (id: string): MethodNames => methodNames(described.get(id)!);

/** Without the optional ids of other records, which no installation has; the key knows the workspace. */
function ownFields({ body, requiredFields }: CalledOperation): CalledOperation['body'] {
  if (!body) return undefined;
  const isOwn = ([name, value]: [string, unknown]) =>
    requiredFields.includes(name) || !JSON.stringify(value).includes(EXAMPLE_ID);
  return Object.fromEntries(Object.entries(body).filter(isOwn));
}

const required = ({ parameters }: CalledOperation, where: string) =>
  parameters
    .filter((parameter) => parameter.in === where && parameter.required)
    .map(({ name, schema }): [string, Sample] => [name, sampleOf(name, schema)]);

type Sample = string | number | string[];

function sampleOf(name: string, { type, minimum, examples = [] }: JsonSchema): Sample {
  if (type === 'array') return examples[0] as string[];
  if (type === 'integer') return minimum ?? 1;
  return VALUES[name] ?? String(examples[0] ?? EXAMPLE_ID);
}

function curlOf(operation: Call): string {
  const { method, path, security, body, answerType } = operation;
  const address = required(operation, 'path').reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, String(value)),
    path,
  );
  const query = required(operation, 'query').map(([name, value]) => `${name}=${value}`);
  const url = [`$WAYMARK_URL${BASE_PATH}${address}`, ...(query.length > 0 ? [query.join('&')] : [])].join(
    '?',
  );
  const options = [
    ...(method === (body ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
    ...credentials(security, path),
    ...required(operation, 'header').map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${dataOf(operation)}`] : []),
    ...(answerType === 'application/zip' ? ['-o answer.zip'] : []),
  ];
  return [`curl ${answerType === 'text/event-stream' ? '-N' : '-s'} "${url}"`, ...options].join(' \\\n  ');
}

function credentials(security: CalledOperation['security'], path: string): string[] {
  if (/^\/auth\/sign-(in|up)$/.test(path)) return ['-c cookies'];
  if (security.some(({ bearer }) => bearer)) return ['-H "Authorization: Bearer $WAYMARK_API_KEY"'];
  return security.some(({ session }) => session) ? ['-b cookies'] : [];
}

/** The body as one word of the shell. A document of any fields, such as an export, comes from a file. */
function dataOf({ body, isDocument }: Call): string {
  if (isDocument) return '@document.json';
  const text = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function typeScriptOf(operation: CalledOperation): string {
  const { method, path, body, answerType = '' } = operation;
  const params = (['path', 'query', 'header'] as const).flatMap((where) => {
    const values = required(operation, where);
    return values.length > 0 ? [[where, Object.fromEntries(values)]] : [];
  });
  const readAs = READ_AS[answerType.split(';')[0]!];
  const options = {
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(body && { body }),
    ...(readAs && { parseAs: readAs }),
  };
  const given = Object.keys(options).length > 0 ? `, ${literalOf(options)}` : '';
  return `const answer = await unwrap(waymark.${method}('${path}'${given}));`;
}

const literalOf = (value: object) =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"([^"'\\\n]*)"(?=,?$|:)/gm, "'$1'");
