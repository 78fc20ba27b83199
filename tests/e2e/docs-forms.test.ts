/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page, Request } from 'playwright-core';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

async function openForm(page: Page, operationId: string): Promise<Locator> {
  const section = page.locator('.operation', { has: page.locator(`#${operationId}`) });
  await section.getByText('Try it', { exact: true }).click();
  await section.locator('form').waitFor();
  return section.locator('.try');
}

const send = (form: Locator) => form.getByRole('button', { name: /^Send / }).click();
const waitForStatus = (form: Locator, status: RegExp) => form.getByRole('status').getByText(status).waitFor();
const bodyIn = async (form: Locator) => JSON.parse((await form.locator('pre').last().textContent()) ?? '');

describe('the form of an operation', () => {
  it('sends the fields with the key, and shows the answer with its headers', async () => {
    const { key } = await app.product.workspace();
    const page = await app.visit('/docs/reference/decisions');
    const form = await openForm(page, 'createDecision');
    await form.getByLabel('API key').fill(key);
    await form.getByLabel(/^title body/).fill('Sent from /docs');
    await form.getByLabel(/^tags body/).fill('["docs"]');
    await form.getByLabel(/^status body/).selectOption('accepted');
    await form.getByLabel(/^outcomeConfidence body/).fill('0.7');
    await form.getByLabel(/^rationale body/).fill('null');
    await form.getByRole('button', { name: 'Send POST /v1/decisions', exact: true }).press('Enter');
    await waitForStatus(form, /^201 Created in \d+ ms: POST http:\/\/\S+\/v1\/decisions$/);
    const headers = await form.locator('pre').first().textContent();
    expect(headers).toMatch(/^x-request-id: [0-9a-f-]{36}$/m);
    const { id } = await bodyIn(form);
    const stored = await app.product.call('GET', `/decisions/${id}`, { key });
    const sent = { title: 'Sent from /docs', tags: ['docs'], status: 'accepted', outcome_confidence: 0.7 };
    expect(stored.body).toMatchObject({ ...sent, rationale: null });
  });

  it('shows what is wrong with a request', async () => {
    const { key } = await app.product.workspace();
    const page = await app.visit('/docs/reference/decisions');
    const form = await openForm(page, 'createDecision');
    await form.getByLabel('API key').fill(key);
    await send(form);
    await waitForStatus(form, /^400 Bad Request in/);
    expect(await bodyIn(form)).toMatchObject({ error: 'VALIDATION_ERROR' });
    await form.getByLabel(/^tags body/).fill('docs');
    await send(form);
    await form.locator('textarea:invalid').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('createDecision-body-tags');
    await page.context().setOffline(true);
    await form.getByLabel(/^tags body/).fill('[]');
    await send(form);
    await waitForStatus(form, /^No answer\. Check the connection/);
  });

  it('has headers, enumerations, booleans and examples', async () => {
    const { key } = await app.product.workspace();
    const page = await app.visit('/docs/reference/decisions');
    const list = await openForm(page, 'listDecisions');
    await list.getByLabel('API key').fill(key);
    const overdue = list.getByLabel(/^overdue query/);
    expect(await overdue.locator('option').allTextContents()).toEqual(['', 'true', 'false']);
    await overdue.selectOption('true');
    await list.getByLabel(/^sort query/).selectOption('-title');
    await send(list);
    await waitForStatus(
      list,
      /^200 OK in \d+ ms: GET \S+\/v1\/decisions\?(overdue=true&sort=-title|sort=-title&overdue=true)$/,
    );

    await page.goto('/docs/reference/batches');
    const batch = await openForm(page, 'batch');
    const operations = [{ operation: 'createDecision', body: { title: 'One' } }];
    expect(JSON.parse(await batch.getByLabel(/^operations body/).inputValue())).toHaveLength(1);
    await batch.getByLabel(/^operations body/).fill(JSON.stringify(operations));
    await batch.getByLabel(/^Batch-Size header, integer/).fill('2');
    await batch.getByLabel(/^atomic body, boolean/).selectOption('true');
    await send(batch);
    await waitForStatus(batch, /^400/);
    await batch.getByLabel(/^Batch-Size header/).fill('1');
    await send(batch);
    await waitForStatus(batch, /^200 OK/);
    expect(await bodyIn(batch)).toMatchObject({ results: [{ status: 201 }] });
  });

  it('shares the key with the other forms of the tab, and writes it into no address', async () => {
    const { key, cookie } = await app.product.workspace();
    const page = await app.visit('/docs/reference/workflows', { cookie });
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    const [list, create] = [await openForm(page, 'listWorkflows'), await openForm(page, 'createWorkflow')];
    await list.getByLabel('API key').fill(key);
    expect(await create.getByLabel('API key').inputValue()).toBe(key);
    await page.goto('/docs/reference/webhooks');
    const webhooks = await openForm(page, 'listWebhooks');
    await webhooks.getByLabel('API key').press('Enter');
    await waitForStatus(webhooks, /^403/);
    const sent = requests.find((request) => new URL(request.url()).pathname === '/v1/webhooks')!;
    expect(await sent.allHeaders()).toMatchObject({ authorization: `Bearer ${key}` });
    expect(await sent.headerValue('cookie')).toBeNull();
    expect(
      [page.url(), ...requests.map((request) => request.url())].filter((url) => url.includes(key)),
    ).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(key);
  });

  it('uses the session of the browser without a key', async () => {
    const { cookie, email } = await app.product.signUp();
    const page = await app.visit('/docs/reference/sign-in-and-account', { cookie });
    const form = await openForm(page, 'getSelf');
    expect(await form.getByLabel('API key').count()).toBe(0);
    await send(form);
    await waitForStatus(form, /^200 OK/);
    expect(await bodyIn(form)).toMatchObject({ user: { email } });
  });

  it('shows events as they arrive, until they are stopped', async () => {
    const { key } = await app.product.workspace();
    const page = await app.visit('/docs/reference/live-events');
    const form = await openForm(page, 'streamEvents');
    await form.getByLabel('API key').fill(key);
    await send(form);
    const events = form.locator('pre').last();
    await events.getByText('event: ready').waitFor();
    await app.product.call('POST', '/decisions', { key, body: { title: 'Seen at once' } });
    await events.getByText('decision.created').waitFor();
    await form.getByRole('button', { name: 'Stop' }).press('Enter');
    await waitForStatus(form, /^200 OK .* Stopped\.$/);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send GET /v1/events');
    const body = Array.from({ length: 150 }, (_, i) => `id: ${i}\n\n`).join(': ping\n\n');
    await page.route('/v1/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await send(form);
    await events.getByText('id: 149').waitFor();
    expect((await events.textContent())!.split('\n\n')).toEqual(
      Array.from({ length: 100 }, (_, i) => `id: ${i + 50}`),
    );
  });

  it('offers an answer that is no text as a file', async () => {
    const { key } = await app.product.workspace();
    const page = await app.visit('/docs/reference/export-and-import');
    const form = await openForm(page, 'exportMadr');
    await form.getByLabel('API key').fill(key);
    await send(form);
    await form.getByText(/^[\d,]+ bytes\. Download$/).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), form.getByText('Download').click()]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
  });

  it('needs a script, which loads when the first form is opened', async () => {
    const page = await app.visit('/docs/reference/decisions');
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    await page.waitForLoadState('networkidle');
    const files = ['/docs/try.js', '/v1/openapi.json'];
    expect((await loaded()).filter((path) => files.includes(path))).toEqual([]);
    await openForm(page, 'listDecisions');
    await openForm(page, 'getDecision');
    expect((await loaded()).filter((path) => files.includes(path)).sort()).toEqual(files);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.try:visible').count()).toBe(0);

    const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(page.url());
    await plain.locator('.try').first().waitFor({ state: 'attached' });
    expect(await plain.locator('.try:visible').count()).toBe(0);
    await context.close();
  });

  it('leaves out what is deprecated', async () => {
    const page = await app.visit('/docs/reference/decisions');
    await page.route('/v1/openapi.json', async (route) => {
      const api = await (await route.fetch()).json();
      api.components.schemas.DecisionCreate.properties.tags.deprecated = true;
      await route.fulfill({ json: api });
    });
    const form = await openForm(page, 'createDecision');
    expect(await form.getByLabel(/^criteria body/).count()).toBe(1);
    expect(await form.getByLabel(/^tags body/).count()).toBe(0);
  });

  it('keeps a slash that is typed into it', async () => {
    const page = await app.visit('/docs/reference/threads');
    const form = await openForm(page, 'postMessage');
    await form.getByLabel(/^content body/).press('/');
    expect(await form.getByLabel(/^content body/).inputValue()).toContain('/');
  });

  it.each([360, 1440])('is accessible with an answer, %d pixels wide', async (width) => {
    const { key } = await app.product.workspace();
    const page = await app.visit('/docs/reference/decisions', { width });
    const form = await openForm(page, 'createDecision');
    await form.getByLabel('API key').fill(key);
    await send(form);
    await waitForStatus(form, /^400/);
    await checkAccessible(page);
  });
});

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Described {
  operationId: string;
  security: { bearer?: string[] }[];
  parameters?: { name: string; in: string; required?: boolean; deprecated?: boolean; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

it('has every parameter and every field of a body, for each operation of openapi.json', async () => {
  const { body: api } = await app.product.call('GET', '/openapi.json');
  const resolve = (schema: Schema): Schema =>
    api.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const labelOf = (name: string, where: string, required: boolean, schema: Schema) => {
    const { type, enum: values } = resolve(schema);
    return `${name} ${where}${required ? ' required' : ''}${values || type === 'boolean' ? ' choice' : ''}`;
  };
  const labelsOf = ({ security, parameters = [], requestBody }: Described) => {
    const body = requestBody && resolve(requestBody.content['application/json'].schema);
    const fields = Object.entries(body?.properties ?? {});
    return [
      ...(security.some(({ bearer }) => bearer) ? ['Authorization header'] : []),
      ...parameters
        .filter(({ deprecated }) => !deprecated)
        .map((each) => labelOf(each.name, each.in, each.required === true, each.schema)),
      ...fields.map(([name, schema]) =>
        labelOf(name, 'body', body?.required?.includes(name) === true, schema),
      ),
      ...(body && fields.length === 0 ? ['body document required'] : []),
    ];
  };
  const operations = Object.values<Record<string, Described>>(api.paths).flatMap((path) =>
    Object.values(path),
  );
  const expected = Object.fromEntries(operations.map((each) => [each.operationId, labelsOf(each)]));

  const page = await app.visit('/docs/reference');
  const links = await page.locator('main a[href^="/docs/reference/"]').evaluateAll(pathsOf);
  const shown: Record<string, string[]> = {};
  for (const path of new Set(links)) {
    await page.goto(path);
    Object.assign(shown, await page.evaluate(openAllForms));
  }
  expect(shown).toEqual(expected);
});

const pathsOf = (links: Element[]) => links.map((link) => (link as HTMLAnchorElement).pathname);

/** Returns the labels of the fields of each form on the page, by operation. */
async function openAllForms(): Promise<Record<string, string[]>> {
  const all = [...document.querySelectorAll<HTMLDetailsElement>('.try')];
  for (const details of all) details.open = true;
  while (all.some((details) => !details.querySelector('form'))) await new Promise(requestAnimationFrame);
  const labelsIn = (form: Element) =>
    [...form.querySelectorAll('label:has(code)')].map((label) => {
      const { control } = label as HTMLLabelElement;
      const [, name, where, required = ''] = /^(\S+) (\w+),.*?( required)?$/.exec(label.textContent)!;
      return `${name} ${where}${required}${control instanceof HTMLSelectElement ? ' choice' : ''}`;
    });
  return Object.fromEntries(
    all.map((details) => [details.closest('section')!.querySelector('h2')!.id, labelsIn(details)]),
  );
}
