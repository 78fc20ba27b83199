import type { OperationDescription } from '../description.ts';
import { pascalCase } from '../names.ts';
import type { Type } from '../schemas.ts';
import { sentName } from './records.ts';
import { annotation, attribute, docstring, head, memberOf } from './text.ts';

interface Style {
  isAsync: boolean;
}

/** The methods of the client, by group. */
export function resourcesModule(operations: OperationDescription[], style: Style): string {
  const groups = [...new Set(operations.map(({ group }) => group))].filter((group) => group !== null).sort();
  const [transport, iterator] = style.isAsync
    ? ['AsyncTransport', 'AsyncIterator']
    : ['Transport', 'Iterator'];
  const classes = groups.map((group) => {
    const own = operations.filter((operation) => operation.group === group);
    const methods = own.map((operation) => methodOf(operation, style));
    return `\n\nclass ${className(group, style)}:
    def __init__(self, transport: ${transport}) -> None:
        self._transport = transport
${methods.join('')}`;
  });
  const attributes = groups.map(
    (group) => `        self.${attribute(group)} = ${className(group, style)}(transport)\n`,
  );
  const ungrouped = operations
    .filter(({ group }) => group === null)
    .map((operation) => methodOf(operation, style));
  const [resources, pages] = style.isAsync ? ['AsyncResources', 'AsyncPages'] : ['Resources', 'Pages'];
  return `${head('The operations of the API.')}
from collections.abc import ${[iterator, 'Mapping', 'Sequence'].sort().join(', ')}
from typing import Any, Literal

from . import inputs, models
from ._pages import ${pages}
from ._request import OMITTED, Content, Omitted, Request, etag, new_key, segment
from .${style.isAsync ? '_async_transport' : '_transport'} import ${transport}
${classes.join('')}

class ${resources}:
    def __init__(self, transport: ${transport}) -> None:
        self._transport = transport
${attributes.join('')}${ungrouped.join('')}`;
}

const className = (group: string, { isAsync }: Style) => `${isAsync ? 'Async' : ''}${pascalCase(group)}`;

function methodOf(operation: OperationDescription, style: Style): string {
  const { result, pages } = operation;
  const isAwaited = style.isAsync && !pages && result.kind !== 'stream';
  const request = requestOf(operation);
  const { type, call } = sendingOf(operation, request, style);
  const doc = docstring([`${operation.summary}.`, operation.description].filter(Boolean).join('\n\n'), 8);
  return `
    ${isAwaited ? 'async ' : ''}def ${memberOf(operation)}(${argumentsOf(operation)}) -> ${type}:
${doc}        return ${isAwaited ? 'await ' : ''}${call}
`;
}

function sendingOf({ id, result, pages }: OperationDescription, request: string, { isAsync }: Style) {
  if (result.kind === 'none')
    return { type: 'None', call: `self._transport.call_without_result(${request})` };
  if (result.kind === 'redirect') return { type: 'str', call: `self._transport.location(${request})` };
  if (result.kind === 'stream') {
    return {
      type: isAsync ? 'AsyncIterator[bytes]' : 'Iterator[bytes]',
      call: `self._transport.stream(${request})`,
    };
  }
  const { type } = result;
  if (type.kind !== 'record') throw new Error(`the answer of ${id} is not an object`);
  const model = annotation(type, 'models.');
  if (!pages) return { type: model, call: `self._transport.call(${model}, ${request})` };
  const item = annotation(pages.item, 'models.');
  return {
    type: `${isAsync ? 'AsyncPages' : 'Pages'}[${model}, ${item}]`,
    call: `self._transport.pages(${model}, ${item}, "${pages.field}", ${request})`,
  };
}

/** The ids of the path by position, and everything else by name. */
function argumentsOf(operation: OperationDescription): string {
  const { pathParameters, query, body, upload } = operation;
  const content = upload ? ['file: Content', 'content_type: str'] : [];
  const required = [
    ...query
      .filter((each) => each.isRequired)
      .map(({ name, type }) => `${attribute(name)}: ${queryType(type)}`),
    ...(body ?? [])
      .filter((each) => each.isRequired)
      .map((each) => `${sentName(each)}: ${bodyType(each.type)}`),
  ];
  const optional = [
    ...(body ?? [])
      .filter((each) => !each.isRequired)
      .map((each) => `${sentName(each)}: ${bodyType(each.type)} | Omitted = OMITTED`),
    ...query
      .filter((each) => !each.isRequired)
      .map(({ name, type }) => `${attribute(name)}: ${queryType(type)} | None = None`),
    ...(operation.takesIfMatch ? ['if_match: str | int | None = None'] : []),
    ...(operation.takesIfNoneMatch ? ['if_none_match: str | int | None = None'] : []),
    ...(operation.takesIdempotencyKey ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
  ];
  const positional = ['self', ...pathParameters.map(({ name }) => `${attribute(name)}: str`)];
  const named = [...content, ...required, ...optional];
  const all = [...positional, ...(named.length > 0 ? ['*', ...named] : [])];
  const line = all.join(', ');
  return line.length < 80 ? line : `\n        ${all.join(',\n        ')},\n    `;
}

const bodyType = (type: Type) => annotation(type, 'inputs.', 'Sequence');
const queryType = (type: Type) =>
  (type.kind === 'list' ? 'str | ' : '') + annotation(type, 'inputs.', 'Sequence');

function requestOf(operation: OperationDescription): string {
  const { method, path, pathParameters, query, body, upload } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{segment(${attribute(name)})}`);
  const headers = [
    ...(operation.takesIfMatch ? ['"If-Match": etag(if_match)'] : []),
    ...(operation.takesIfNoneMatch ? ['"If-None-Match": etag(if_none_match)'] : []),
    ...(operation.takesIdempotencyKey ? ['"Idempotency-Key": new_key(idempotency_key)'] : []),
    ...(operation.takesBatchSize ? ['"Batch-Size": str(len(operations))'] : []),
    ...(upload ? ['"Content-Type": content_type'] : []),
  ];
  const parts = [
    `"${method}"`,
    `${pathParameters.length > 0 ? 'f' : ''}"${filled}"`,
    ...dictionary(
      'query',
      query.map(({ name }) => `"${name}": ${attribute(name)}`),
    ),
    ...(body ? [`body={${body.map((each) => `"${sentName(each)}": ${sentName(each)}`).join(', ')}}`] : []),
    ...(upload ? ['content=file'] : []),
    ...dictionary('headers', headers),
    'timeout=timeout',
  ];
  const line = parts.join(', ');
  return line.length < 70
    ? `Request(${line})`
    : `Request(\n            ${parts.join(',\n            ')},\n        )`;
}

const dictionary = (name: string, entries: string[]) =>
  entries.length > 0 ? [`${name}={${entries.join(', ')}}`] : [];
