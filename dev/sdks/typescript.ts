import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisionSorts, etagOf, limits, planFeatures, plans, roles } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import type { Description, OperationDescription } from './description.ts';
import { camelCase } from './names.ts';

const HEAD = '// Made by npm run generate.\n';

/** The limits that a form or a reader of lists needs to know before it calls. */
const PUBLISHED_LIMITS = [
  'pageSizeMax',
  'batchOperations',
  'titleCharacters',
  'nameCharacters',
  'tagCharacters',
  'messageCharacters',
  'searchQueryCharacters',
  'exportedIds',
  'countedNodes',
  'countedMessages',
  'loginKeySeconds',
] as const satisfies (keyof typeof limits)[];

/** Returns the lines of each group. The redirects of sign-in are for browsers. */
function methodsOf(operations: Description['operations']): string {
  const callable = operations.filter(({ result }) => result.kind !== 'redirect');
  const groups = Map.groupBy(callable, ({ group }) => group);
  const lines = [...groups].map(([group, own]) => {
    own.forEach(assertOnePlace);
    const indent = group === null ? '  ' : '    ';
    const entries = own.map(({ verb, id }) => `${indent}${camelCase(verb)}: '${id}',\n`).join('');
    return group === null ? entries : `  ${camelCase(group)}: {\n${entries}  },\n`;
  });
  return lines.join('');
}

/** Throws unless all fields of a call belong to one place: the methods take them as one object. */
function assertOnePlace({ id, query, body }: OperationDescription): void {
  if (body && query.some(({ name }) => name !== 'workspaceId'))
    throw new Error(`${id} has a body and a query`);
}

/** Returns what the client knows of the operations at run time. */
export function typescriptFiles({ basePath, operations }: Description): Record<string, string> {
  const pathsOf = (some: Description['operations']) => some.map(({ path }) => `  '${path}',\n`).join('');
  const lists = operations.flatMap(({ path, pages }) => (pages ? [`  '${path}': '${pages.field}',\n`] : []));
  const routes = operations.map(({ id, method, path, body }) => {
    const own = [`method: '${method}'`, `path: '${path}'`, ...(body ? ['hasBody: true'] : [])];
    return `  ${id}: { ${own.join(', ')} },\n`;
  });
  const content = `${HEAD}
/** The paths of each POST that takes an Idempotency-Key. */
export const idempotentPaths: ReadonlySet<string> = new Set([
${pathsOf(operations.filter(({ takesIdempotencyKey }) => takesIdempotencyKey))}]);

/** The paths that take a file. */
export const uploadPaths: ReadonlySet<string> = new Set([${operations
    .filter(({ upload }) => upload)
    .map(({ path }) => `'${path}'`)
    .join(', ')}]);

/** Returns the ETag of a version of a record, for If-Match. */
export const etagOf = (version: number): string => \`${etagOf(0).replace('0', `\${version}`)}\`;

/** The list in the pages of each path that has pages. */
export const listFields = {
${lists.join('')}} as const;

/** The method and the path of each operation, by its operationId, and whether it has a JSON body. */
export const routes = {
${routes.join('')}} as const;

/** The operationId of each method, by the group of the command line. */
export const methods = {
${methodsOf(operations)}} as const;

export const BASE_PATH = '${basePath}';

/** The version of the package. */
export const VERSION = '${JSON.parse(readFileSync(join(findRepositoryRoot(), 'package.json'), 'utf8')).version}';
`;
  return { 'libs/client/src/operations.ts': content, 'libs/client/src/facts.ts': factsFile() };
}

/** Returns the facts of the contract that openapi.json states in prose, or again in each operation. */
function factsFile(): string {
  const facts = {
    roles: { about: 'From the least to the most powerful.', value: roles },
    plans: { about: 'From the smallest.', value: plans },
    planFeatures: { about: 'The plans that have a feature.', value: planFeatures },
    decisionSorts: { about: 'The fields that lists of decisions are sorted by.', value: decisionSorts },
    limits: {
      about: 'Records in one request, and characters of one text.',
      value: Object.fromEntries(PUBLISHED_LIMITS.map((name) => [name, limits[name]])),
    },
  };
  const texts = Object.entries(facts).map(
    ([name, { about, value }]) =>
      `/** ${about} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`,
  );
  return [HEAD, ...texts].join('\n');
}
