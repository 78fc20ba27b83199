import { apiTags, BASE_PATH, errorDocsPath, hasTimeExample } from '@waymark/contracts';
import {
  type ApiDocument,
  apiDocument,
  type Content,
  type DocumentOperation,
  type Parameter,
} from '../../../dev/sdks/description.ts';
import type { JsonSchema } from '../../../dev/sdks/schemas.ts';
import { exampleCalls, namesOf } from './example-calls.ts';
import { codeBlock, inCell, literal, table } from './markdown.ts';

/** A longer list of values would hide the other fields. */
const LISTED_VALUES = 12;

interface Entry {
  method: string;
  path: string;
  heading: string;
  operation: DocumentOperation;
}

/** Generates the pages of the reference from the description of the API. */
export function reference() {
  const document = apiDocument() as ApiDocument;
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]): Entry => {
      const method = name.toUpperCase();
      return { method, path, heading: `\`${method} ${path}\``, operation };
    }),
  );
  const groups = apiTags.map(({ name: title }) => ({
    title,
    path: `/docs/reference/${title.toLowerCase().replaceAll(' ', '-')}`,
    operations: entries.filter(({ operation }) => operation.tags[0] === title),
  }));
  type Group = (typeof groups)[number];
  const listOf = (head: string[], row: (entry: Entry, { path }: Group) => string[]) =>
    groups.map((group) => {
      const rows = group.operations.map((entry) => row(entry, group));
      return `## ${group.title}\n\n${table(head, rows)}`;
    });

  const index = listOf(['Operation', 'What it does'], ({ heading, operation }, { path }) => [
    `[${heading}](${path}.md#${operation.operationId})`,
    inCell(operation.summary),
  ]);
  const languages = ['TypeScript', 'Python', 'Go', 'Command line'];
  const methods = listOf(['Operation', ...languages], ({ operation: { operationId } }, { path }) => {
    const { typeScript, python, go, command } = namesOf(operationId);
    const names = [typeScript, python, go, command].map((each) => (each ? `\`${each}\`` : ''));
    return [`[${operationId}](${path}.md#${operationId})`, ...names];
  });
  return {
    /** The list of all operations. */
    index: [INTRODUCTION, ...index].join('\n\n'),
    /** The name of each operation in the SDKs. */
    methods: [METHODS, ...methods].join('\n\n'),
    resources: groups.map(({ title, path, operations }) => ({
      title,
      path,
      markdown: [`# ${title}`, ...operations.map((entry) => describe(document, entry))].join('\n\n'),
      /** The ids of the operations, by heading. */
      anchors: new Map(operations.map(({ heading, operation }) => [heading, operation.operationId])),
    })),
  };
}

const INTRODUCTION = `# API reference

JSON over HTTP below \`${BASE_PATH}\`. Send a key as \`Authorization: Bearer wmk_…\`. Everything here is in
[openapi.json](${BASE_PATH}/openapi.json) too, and [changelog](${BASE_PATH}/changelog) lists what changed.
*Try it*, below each operation, sends a request from the browser.

The examples name the address of the installation as \`WAYMARK_URL\` and the key as \`WAYMARK_API_KEY\`, as the
[quickstart](/docs/quickstart.md) does; \`-b cookies\` is the session of a signed-in user. \`waymark\` in TypeScript and Python, and
\`client\` in Go, are the clients of the quickstart, and \`ctx\` is a context.
[Methods of the SDKs](/docs/sdks/methods.md) lists what the operations are called in each language.`;

const METHODS = `# Methods of the SDKs

What each operation is called in the [SDKs](/docs/sdks.md) and on the [command line](/docs/cli.md); its page has a sample in each language.
In TypeScript, the methods are those of \`createWaymark()\`, and the samples use the calls by path, which \`waymark.api\` has.`;

/** The description of an operation, and last its example, which wide windows show beside it. */
function describe(document: ApiDocument, { method, path, heading, operation }: Entry): string {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const body = requestBody?.content['application/json'];
  const call = exampleCalls({
    ...{ id: operationId, method, path, parameters, security },
    body: exampleIn(document, body) as Record<string, unknown> | undefined,
    requiredFields: resolve(document, body?.schema)?.required ?? [],
    answerType: Object.keys(success?.content ?? {})[0],
  });
  return [
    `## ${heading}`,
    `${literal(summary)}. Operation \`${operationId}\`.`,
    literal(description ?? ''),
    parametersOf(document, parameters),
    fieldsOf(document, requestBody?.content),
    errorsOf(responses),
    call,
    success ? answerOf(document, `Answer ${status}`, success.content) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function parametersOf(document: ApiDocument, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ in: where, name, required, deprecated, description = '', schema }) => [
    `\`${name}\``,
    `${where}${required ? ', required' : ''}${deprecated ? ', deprecated' : ''}`,
    inCell(typeOf(document, schema)),
    inCell(description),
  ]);
  return table(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

/** The fields of a body in JSON. */
function fieldsOf(document: ApiDocument, content: Content | undefined): string {
  const schema = resolve(document, content?.['application/json']?.schema);
  const fields = Object.entries(schema?.properties ?? {});
  if (fields.length === 0) return '';
  const rows = fields.map(([name, field]) => [
    `\`${name}\``,
    inCell(typeOf(document, field)),
    schema?.required?.includes(name) ? 'required' : '',
    inCell(field.description ?? resolve(document, field)?.description ?? ''),
  ]);
  return table(['Field', 'Type', '', 'Meaning'], rows);
}

function resolve(document: ApiDocument, schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema;
}

function typeOf(document: ApiDocument, schema: JsonSchema | undefined): string {
  const found = resolve(document, schema);
  if (!found) return '';
  if (found.enum && found.enum.length <= LISTED_VALUES) return found.enum.join(' | ');
  if ('const' in found) return String(found.const);
  const choices = found.anyOf ?? found.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(' | ');
  if (Array.isArray(found.type))
    return found.type
      .map((type) => typeOf(document, type === 'null' ? { type } : { ...found, type }))
      .join(' | ');
  if (found.items) return `array of ${typeOf(document, found.items)}`;
  return [found.type, found.format ?? (hasTimeExample(found) && 'time or date')].filter(Boolean).join(', ');
}

function answerOf(document: ApiDocument, title: string, content: Content | undefined): string {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (!type) return '';
  const value = exampleIn(document, media);
  const label = `**${title}** (${type})`;
  return value === undefined ? label : `${label}\n\n${codeBlock('json', JSON.stringify(value, null, 2))}`;
}

function exampleIn(document: ApiDocument, media: Content[string] | undefined): unknown {
  return resolve(document, media?.schema)?.examples?.[0];
}

/** A shared refusal is named by its codes: `CONFLICT_or_LIMIT_EXCEEDED`. */
function errorsOf(responses: DocumentOperation['responses']): string {
  const links = Object.entries(responses).flatMap(([status, { $ref }]) =>
    ($ref?.split('/').at(-1)?.split('_or_') ?? []).map(
      (code) => `[${status} ${code}](${errorDocsPath(code as Parameters<typeof errorDocsPath>[0])}.md)`,
    ),
  );
  return links.length === 0 ? '' : `Errors: ${links.join(', ')}`;
}
