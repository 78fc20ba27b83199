import { etagOf } from '@waymark/contracts';
import type { Description } from './description.ts';

const HEAD = '// Made by npm run generate.\n';

/** Returns what the client knows of the operations at run time. */
export function typescriptFiles({ operations }: Description): Record<string, string> {
  const pathsOf = (some: Description['operations']) => some.map(({ path }) => `  '${path}',\n`).join('');
  const lists = operations.flatMap(({ path, pages }) => (pages ? [`  '${path}': '${pages.field}',\n`] : []));
  const routes = operations.map(
    ({ id, method, path }) => `  ${id}: { method: '${method}', path: '${path}' },\n`,
  );
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

/** The method and the path of each operation, by its operationId. */
export const routes = {
${routes.join('')}} as const;
`;
  return { 'libs/client/src/operations.ts': content };
}
