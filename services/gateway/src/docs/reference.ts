import { BASE_PATH, errorDocsPath, openApiDocument } from '@waymark/contracts';
import { html } from './html.ts';

/** The resources of the API in reading order, by the first segment of a path. */
const RESOURCES: Record<string, string> = {
  decisions: 'Decisions',
  'decisions.ics': 'Decisions',
  quality: 'Decisions',
  metrics: 'Metrics',
  workflows: 'Workflows',
  nodes: 'Nodes',
  edges: 'Edges',
  threads: 'Threads',
  search: 'Search',
  events: 'Live events',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  'audit-log': 'Audit log',
  export: 'Export and import',
  imports: 'Export and import',
  workspaces: 'Workspaces',
  members: 'Members',
  invitations: 'Invitations',
  'api-keys': 'API keys',
  auth: 'Sign-in and account',
};
const OTHERS = 'This API';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
}
interface Content {
  [type: string]: { examples?: Record<string, { $ref?: string; value?: unknown }> };
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>;
}
interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: { examples?: Record<string, { value?: unknown }> };
}

/** The operations of the API, grouped by resource; it needs no script. */
export function referenceBody(): string {
  // The page names paths only, so the address of the installation does not matter.
  const described = openApiDocument({ publicUrl: '', sessionCookie: 'session' }) as unknown as Described;
  const groups = new Map([...Object.values(RESOURCES), OTHERS].map((name) => [name, [] as string[]]));
  for (const [path, methods] of Object.entries(described.paths)) {
    const group = groups.get(RESOURCES[path.split('/')[1]!] ?? OTHERS)!;
    for (const [method, operation] of Object.entries(methods)) {
      group.push(operationOf(described, path, method, operation));
    }
  }
  const filled = [...groups].filter(([, operations]) => operations.length > 0);
  const contents = filled.map(([name]) => `<li><a href="#${idOf(name)}">${name}</a></li>`);
  const sections = filled.map(
    ([name, operations]) =>
      `<section aria-labelledby="${idOf(name)}"><h2 id="${idOf(name)}">${name}</h2>${operations.join('')}</section>`,
  );
  return `<div class="reference">
<aside><nav aria-label="Resources"><ul>${contents.join('')}</ul></nav></aside>
<main>
<h1>Waymark API</h1>
<p>JSON over HTTP below <code>${BASE_PATH}</code>. Send a key as <code>Authorization: Bearer wmk_…</code>. Everything here is
in <a href="${BASE_PATH}/openapi.json">openapi.json</a> too, and <a href="${BASE_PATH}/changelog">changelog</a> lists what changed.
<a href="/docs/try">Try requests</a> opens a panel that sends them.</p>
${sections.join('\n')}
</main>
</div>`;
}

const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function operationOf(described: Described, path: string, method: string, operation: Operation): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return `<details id="${operationId}"><summary><code class="method">${method.toUpperCase()}</code> <code>${html(path)}</code> <span>${html(summary)}</span></summary>
${description ? `<p>${html(description)}</p>` : ''}${parametersOf(parameters)}${exampleOf(described, 'Body', requestBody?.content)}${
  success ? exampleOf(described, `Answer ${success[0]}`, success[1].content) : ''
}${errorsOf(responses)}</details>`;
}

function parametersOf(parameters: NonNullable<Operation['parameters']>): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ in: where, name, required, description, schema }) =>
      `<tr><th scope="row"><code>${html(name)}</code></th><td>${where}${required ? ', required' : ''}</td><td>${html(typeOf(schema))}</td><td>${html(description ?? '')}</td></tr>`,
  );
  return `<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function typeOf(schema: Schema | undefined): string {
  if (schema?.enum) return schema.enum.join(' | ');
  return [schema?.type ?? [], schema?.format ?? []].flat().join(', ');
}

function exampleOf(described: Described, title: string, content: Content | undefined): string {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (!type) return '';
  const [example] = Object.values(media?.examples ?? {});
  const name = example?.$ref?.split('/').at(-1);
  const value = name ? described.components.examples?.[name]?.value : example?.value;
  const text = value === undefined ? '' : `<pre tabindex="0">${html(JSON.stringify(value, null, 2))}</pre>`;
  return `<h3>${title} <span>${html(type)}</span></h3>${text}`;
}

/** A shared refusal is named by its codes: `CONFLICT_or_LIMIT_EXCEEDED`. */
function errorsOf(responses: Operation['responses']): string {
  const links = Object.entries(responses).flatMap(([status, { $ref }]) =>
    ($ref?.split('/').at(-1)?.split('_or_') ?? []).map(
      (code) =>
        `<a href="${errorDocsPath(code as Parameters<typeof errorDocsPath>[0])}">${status} ${code}</a>`,
    ),
  );
  return links.length === 0 ? '' : `<p class="errors">Errors: ${links.join(', ')}</p>`;
}
