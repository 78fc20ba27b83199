import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { limits, plans, type RateLimits, rateLimits, webhookRetryDelaysSeconds } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { type Owner, startWebhookReceiver } from '@waymark/testing';
import { codeBlocks, createReadersFolder, programOf } from '../support/documented-code.ts';
import { joinProduct } from '../support/join-product.ts';
import { expectQuickstart, QUICKSTART, quickstartBlocks } from '../support/quickstart.ts';

/** Runs every block of code of the quickstart and the guides, and compares their facts with the tables. */
const guides = readdirSync(join(findRepositoryRoot(), 'docs/guide')).map((name) => `docs/guide/${name}`);
const textOf = (name: string) =>
  readFileSync(join(findRepositoryRoot(), 'docs/guide', `${name}.md`), 'utf8').replaceAll(/\s+/g, ' ');

const product = joinProduct();
const reader = createReadersFolder();
/** The tabs of the quickstart. `npm run test:sdks` runs those after the first. */
const LABELS = ['curl', 'TypeScript', 'Python', 'Go', 'CLI'];
let owner: Owner & { key: string };
const receiver = await startWebhookReceiver();
afterAll(() => receiver.stop());

const environment = () => ({ WAYMARK_URL: product.url, WAYMARK_API_KEY: owner.key });

/** Code as its reader adapts it. */
const adapted = (code: string) =>
  code
    .replace('http://localhost:8080', product.url)
    .replace('wmk_…', owner.key)
    .replace('you@example.com', owner.email)
    .replace('your password', owner.password)
    .replace('https://example.com/waymark', receiver.url);

const shell = (code: string) => reader.run('bash', ['-euc', adapted(code)], environment());
function typeScript(code: string) {
  writeFileSync(join(reader.folder, 'program.ts'), code);
  return reader.run(
    process.execPath,
    ['--conditions=x-source', '--no-warnings', 'program.ts'],
    environment(),
  );
}

describe('the quickstart', () => {
  it('logs a decision and its outcome, and receives an event with curl', async () => {
    owner = await product.workspace();
    const commands = ['', 'curl'].map((label) => programOf(quickstartBlocks, 'sh', label)).join('\n');
    await expectQuickstart(await shell(commands), product, owner);
  });

  it('has the same steps in every language', () => {
    const steps = readFileSync(join(findRepositoryRoot(), QUICKSTART), 'utf8').split('\n## ').slice(2);
    for (const step of steps) {
      const labels = [...step.matchAll(/^```\S+ (\S+)$/gm)].map(([, label]) => label);
      expect([step.split('\n')[0], [...new Set(labels)]]).toEqual([step.split('\n')[0], LABELS]);
    }
  });
});

describe.each(guides.filter((file) => !file.endsWith('quickstart.md')))('%s', (file) => {
  const blocks = codeBlocks(file);

  it('has code that runs as it stands', async () => {
    owner = await product.workspace();
    await product.call('POST', '/decisions', { key: owner.key, body: { title: 'One to find' } });
    const commands = programOf(blocks, 'sh');
    const output = commands && (await shell(commands));
    const isAboutErrors = file.endsWith('errors.md');
    expect([output, output.includes('"error":"')]).toEqual([output, isAboutErrors]);
    if (programOf(blocks, 'ts')) await typeScript(programOf(blocks, 'ts'));
    for (const { language, text } of blocks) {
      expect(['sh', 'ts', 'json', 'text']).toContain(language);
      if (language === 'json') JSON.parse(text);
    }
  });

  it('is short', () => {
    expect(readFileSync(join(findRepositoryRoot(), file), 'utf8').split('\n').length).toBeLessThanOrEqual(
      120,
    );
  });
});

describe('the facts in the guides', () => {
  const bucketsOf = ({ read, export: exports, mutation }: RateLimits['session']) =>
    `${read} / ${exports} / ${mutation}`;

  it('have the rate limits of the table', () => {
    const text = textOf('rate-limits');
    for (const plan of plans) {
      const { key, workspace } = rateLimits;
      expect(text).toContain(`| ${plan} | ${bucketsOf(key[plan])} | ${bucketsOf(workspace[plan])} |`);
    }
    expect(text).toContain(
      `Each user, and each address without credentials: ${bucketsOf(rateLimits.session)}.`,
    );
    expect(rateLimits.address).toEqual(rateLimits.session);
  });

  it('have the other limits', () => {
    expect(textOf('pagination')).toContain(`${limits.pageSize} by default, at most ${limits.pageSizeMax}`);
    expect(textOf('idempotency')).toContain(
      `1 to ${limits.idempotencyKeyCharacters} visible ASCII characters`,
    );
    expect(textOf('idempotency')).toContain(`kept for ${limits.idempotencySeconds / 3_600} hours`);
    expect(textOf('rate-limits')).toContain(`takes up to ${limits.batchOperations} changes`);
    expect(textOf('rate-limits')).toContain(
      `from one to another at most ${limits.batchServiceChanges} times`,
    );
    expect(textOf('sync')).toContain(`every event of the last ${limits.eventLogDays} days`);
    expect(textOf('sync')).toContain(`${limits.eventLogWaitSeconds} seconds at most`);
    expect(textOf('sync')).toContain(`deleted in the last ${limits.deletionDays} days`);
    expect(textOf('authentication')).toContain(
      `up to ${['seven'][limits.keyRotationOverlapSecondsMax / 86_400 - 7]} days`,
    );
  });

  it('have the retries of webhooks', () => {
    const names = ['30 seconds', '2 minutes', '10 minutes', '1 hour'];
    const seconds = [30, 120, 600, 3_600];
    expect(webhookRetryDelaysSeconds.slice(0, limits.webhookAttempts - 1)).toEqual(seconds);
    for (const [i, name] of names.entries()) expect(textOf('webhooks')).toContain(`| ${i + 2} | ${name} |`);
    expect(textOf('webhooks')).toContain(`within ${limits.webhookAttemptTimeoutMs / 1_000} seconds`);
  });
});
