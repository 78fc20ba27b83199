import type { Description, OperationDescription } from '../description.ts';
import type { Field, RecordType, Type } from '../schemas.ts';
import { block, comment, sentence } from './format.ts';
import { argument, exported } from './names.ts';
import type { goTypes } from './types.ts';

/** Returns the body of a JSON request as a record. */
export function bodyOf({ id, body, bodyName }: OperationDescription): RecordType | null {
  return body && { name: bodyName ?? `${id}Body`, description: '', fields: body };
}

/** Returns the objects in requests: the bodies, and what they contain. */
export function requestRecords({ operations, inputs }: Description): RecordType[] {
  const bodies = operations.map(bodyOf).filter((body) => body !== null);
  return [...new Map(bodies.map((body) => [body.name, body])).values(), ...inputs];
}

/** Returns the names of the leading arguments: the path and what the query must have. */
export const argumentsOf = ({ pathParameters, query }: OperationDescription): Field[] => [
  ...pathParameters,
  ...query.filter(({ isRequired }) => isRequired),
];

/** Returns the method of an operation, as the code that calls it writes it: `Decisions.Create`. */
export const methodOf = ({ group, verb }: OperationDescription): string =>
  [...(group === null ? [] : [exported(group)]), exported(verb)].join('.');

/** Writes the methods of operations, with the structs of their optional parameters. */
export function goMethods(types: ReturnType<typeof goTypes>) {
  function method(operation: OperationDescription): string[] {
    const { group, verb, id, method: httpMethod, path, summary, description, pages } = operation;
    const receiver = group === null ? 'c *Client' : `s ${serviceOf(group)}`;
    const connection = group === null ? 'c.connection' : 's.connection';
    const name = exported(verb) + (pages ? 'Page' : '');
    const options = optionsOf(operation);
    const parameters = [
      ...argumentsOf(operation).map(
        (each) => `${argument(each.name)} ${types.plain(each.type, use(id, each.name))}`,
      ),
      ...bodyParameters(operation),
      ...(options.length > 0 ? [`options *${exported(id)}Options`] : []),
    ];
    const call = callOf(operation);
    return [
      ...(options.length > 0 ? types.optionsStruct(id, methodOf(operation), options) : []),
      ...comment(`${name} is ${httpMethod} ${path}: ${sentence(summary)} ${description}`),
      `func (${receiver}) ${name}(${['ctx context.Context', ...parameters].join(', ')}) ${call.result} {`,
      `\treturn ${call.function}(ctx, ${connection}, ${requestOf(operation)})`,
      '}',
      '',
      ...(pages ? iterator(operation, pages, parameters) : []),
    ];
  }

  function callOf({ id, result }: OperationDescription) {
    if (result.kind !== 'json') return CALLS[result.kind];
    const type = types.plain(result.type, { owner: id, field: 'result', isInput: false });
    return { function: `call[${type}]`, result: `(*${type}, error)` };
  }

  /** Returns the method that reads all pages. */
  function iterator(
    operation: OperationDescription,
    pages: NonNullable<OperationDescription['pages']>,
    parameters: string[],
  ): string[] {
    const { group, id, result } = operation;
    const name = exported(operation.verb);
    const inResponse = (type: Type) => types.plain(type, { owner: id, field: pages.field, isInput: false });
    const item = inResponse(pages.item);
    const page = result.kind === 'json' ? inResponse(result.type) : '';
    const options = `${exported(id)}Options`;
    const given = [...argumentsOf(operation).map((each) => argument(each.name)), 'at'].join(', ');
    const all = ['ctx context.Context', ...parameters].join(', ');
    return [
      ...comment(
        `${name} iterates over the ${pages.field} of all pages of ${name}Page. It ends after an error.`,
      ),
      `func (s ${serviceOf(group!)}) ${name}(${all}) iter.Seq2[${item}, error] {`,
      `\treturn pages(options, func(at *${options}) (*${page}, error) {`,
      `\t\treturn s.${name}Page(ctx, ${given})`,
      `\t}, func(page *${page}, at *${options}) ([]${item}, bool) {`,
      `\t\treturn page.${exported(pages.field)}, follow(page.NextCursor, &at.Cursor)`,
      '\t})',
      '}',
      '',
    ];
  }

  function service(group: string, operations: readonly OperationDescription[]): string[] {
    return [
      `// ${serviceOf(group)} has the operations of ${group}.`,
      `type ${serviceOf(group)} struct{ connection *connection }`,
      '',
      ...operations.flatMap(method),
    ];
  }

  function client(groups: readonly string[]): string[] {
    const fields = groups.map((group) => ({ comment: '', cells: [exported(group), serviceOf(group)] }));
    return [
      '// Client calls the operations of an installation. It can be used by several goroutines at once.',
      'type Client struct {',
      ...block([{ comment: '', cells: ['connection', '*connection'] }, ...fields]),
      '}',
      '',
      'func newClient(c *connection) *Client {',
      '\treturn &Client{',
      '\t\tc,',
      ...groups.map((group) => `\t\t${serviceOf(group)}{c},`),
      '\t}',
      '}',
      '',
    ];
  }

  /** Returns the declarations of the client, its services and their methods. */
  return function declarations(operations: readonly OperationDescription[]): string[] {
    const groups = Map.groupBy(operations, ({ group }) => group);
    const named = [...groups.keys()].filter((group) => group !== null);
    return [
      ...client(named),
      ...(groups.get(null) ?? []).flatMap(method),
      ...named.flatMap((group) => service(group, groups.get(group)!)),
    ];
  };
}

/** The functions that send requests whose answer is not JSON, and what they return. */
const CALLS = {
  none: { function: 'callEmpty', result: 'error' },
  redirect: { function: 'callRedirect', result: '(string, error)' },
  stream: { function: 'callStream', result: '(io.ReadCloser, error)' },
};
const TEXT = { type: { kind: 'string' as const }, isRequired: false, refusesZero: true, hasSnakeName: false };
const use = (id: string, field: string) => ({ owner: id, field, isInput: true });
const serviceOf = (group: string) => `${exported(group)}Service`;

function bodyParameters(operation: OperationDescription): string[] {
  if (operation.upload) return ['contentType string', 'content io.Reader'];
  const body = bodyOf(operation);
  return body ? [`body ${exported(body.name)}`] : [];
}

/** Returns the optional parameters of an operation. */
export function optionsOf(operation: OperationDescription): (Field & { tag: string })[] {
  const header = (isTaken: boolean, name: string, description: string) =>
    isTaken ? [{ ...TEXT, name, description, tag: 'header' }] : [];
  const { takesIdempotencyKey, takesIfMatch, takesIfNoneMatch } = operation;
  return [
    ...operation.query.filter(({ isRequired }) => !isRequired).map((each) => ({ ...each, tag: 'query' })),
    ...header(takesIdempotencyKey, 'Idempotency-Key', 'A new key by default.'),
    ...header(takesIfMatch, 'If-Match', 'The ETag that the change is based on.'),
    ...header(
      takesIfNoneMatch,
      'If-None-Match',
      operation.method === 'GET'
        ? 'ErrNotModified if the record still has this ETag.'
        : '"*" to create only; PRECONDITION_FAILED if there is a record.',
    ),
  ];
}

/** Returns the literal of the request. */
function requestOf(operation: OperationDescription): string {
  const { method, path, pathParameters, query, body, upload, takesIdempotencyKey } = operation;
  const required = query.filter(({ isRequired }) => isRequired);
  const fields = [
    `method: "${method}"`,
    `path: "${path}"`,
    ...(pathParameters.length > 0 ? [`args: []string{${pathParameters.map(pathText).join(', ')}}`] : []),
    ...(required.length > 0 ? [`query: url.Values{${required.map(queryEntry).join(', ')}}`] : []),
    ...(optionsOf(operation).length > 0 ? ['options: options'] : []),
    ...(body ? ['body: body'] : []),
    ...(upload ? ['body: upload{contentType, content}'] : []),
    ...(takesIdempotencyKey ? ['keyed: true'] : []),
    ...(operation.takesBatchSize ? ['batch: len(body.Operations)'] : []),
  ];
  return `request{${fields.join(', ')}}`;
}

const pathText = ({ name, type }: Field) =>
  type.kind === 'enum' ? `string(${argument(name)})` : argument(name);
const queryEntry = ({ name }: Field) => `"${name}": {textOf(${argument(name)})}`;
