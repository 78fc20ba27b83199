import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Owner, testFolder } from '@waymark/testing';
import { runWith } from '../apps/cli/test/run.ts';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
const folder = testFolder();

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const nats = (rationale: string) => `---
status: accepted
external-id: ARCH-1
tags: [events]
expected-by: 2030-06-30
---
# Use NATS

## Context and Problem Statement

Services publish events.

## Decision Drivers

* Starts on a laptop

## Considered Options

* NATS
* Kafka

## Decision Outcome

Chosen option: "NATS", because ${rationale}

## Pros and Cons of the Options

### NATS

* Good, because it is small
`;

let owner: Owner & { key: string };
beforeEach(async () => {
  owner = await product.workspace();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'old'), { recursive: true });
  write('README.md', '# Decisions\n');
  write('0001-use-nats.md', nats('it starts in milliseconds.'));
  write('old/0002-use-tabs.md', '# 2. Use tabs\n\n## Decision\n\nTabs.\n');
});

function importFolder(...args: string[]) {
  const env = { WAYMARK_URL: product.url, WAYMARK_API_KEY: owner.key };
  return runWith({ env }, 'decisions', 'import', folder, ...args);
}
async function decisions() {
  const { body } = await product.call('GET', '/decisions?sort=title', { key: owner.key });
  return body.decisions as Record<string, unknown>[];
}

it('completion offers the command', async () => {
  const { out } = await runWith({ env: {} }, 'complete', '--', 'decisions', 'im');
  expect(out).toEqual([expect.stringMatching(/^import\tCreate the decisions of a folder/)]);
});

describe('waymark decisions import', () => {
  it('creates the decisions of a folder, and changes nothing when it is repeated', async () => {
    expect(await importFolder()).toMatchObject({
      code: 0,
      out: [
        '+ 0001-use-nats.md: Use NATS',
        '+ old/0002-use-tabs.md: Use tabs',
        '2 created, 0 changed, 0 unchanged, 0 refused',
      ],
    });
    const before = await decisions();
    expect(before).toEqual([
      expect.objectContaining({
        external_id: 'ARCH-1',
        status: 'accepted',
        rationale: 'it starts in milliseconds.',
        options_considered: [{ title: 'NATS', pros: ['it is small'], cons: [] }, 'Kafka'],
      }),
      expect.objectContaining({
        external_id: 'old/0002-use-tabs.md',
        status: 'proposed',
        rationale: 'Tabs.',
      }),
    ]);
    for (const args of [[], ['--dry-run']]) {
      expect(await importFolder(...args)).toMatchObject({
        code: 0,
        out: [expect.stringMatching(/2 unchanged/)],
      });
    }
    expect(await decisions()).toEqual(before);
  });

  it('changes the fields that a file has changed, and leaves what it does not say', async () => {
    await importFolder();
    const [, tabs] = await decisions();
    const path = `/decisions/${tabs!['id']}`;
    await product.call('PATCH', path, { key: owner.key, body: { status: 'accepted', tags: ['style'] } });
    write('0001-use-nats.md', nats('it survived a power cut.'));
    write('old/0002-use-tabs.md', '# 2. Use tabs\n\n## Decision\n\nTabs, everywhere.\n');
    const shown = ['~ 0001-use-nats.md: rationale', '~ old/0002-use-tabs.md: rationale'];
    expect(await importFolder('--dry-run')).toMatchObject({
      code: 8,
      out: [...shown, '0 to create, 2 to change, 0 unchanged, 0 refused'],
    });
    expect((await decisions())[0]).toMatchObject({ rationale: 'it starts in milliseconds.' });
    expect(await importFolder()).toMatchObject({
      code: 0,
      out: [...shown, '0 created, 2 changed, 0 unchanged, 0 refused'],
    });
    expect(await decisions()).toEqual([
      expect.objectContaining({ rationale: 'it survived a power cut.', version: 2 }),
      expect.objectContaining({ rationale: 'Tabs, everywhere.', status: 'accepted', tags: ['style'] }),
    ]);
  });

  it('changes the decision that an exported file has the id of', async () => {
    const created = await product.call('POST', '/decisions', { key: owner.key, body: { title: 'Use tabs' } });
    rmSync(join(folder, 'old'), { recursive: true });
    write('0001-use-nats.md', `---\nid: ${created.body.id}\n---\n# Use tabs\n\n## Decision\n\nTabs.\n`);
    expect(await importFolder()).toMatchObject({
      code: 0,
      out: ['~ 0001-use-nats.md: rationale', expect.anything()],
    });
    expect(await decisions()).toEqual([expect.objectContaining({ id: created.body.id, rationale: 'Tabs.' })]);
  });

  it('goes on after a file that is refused, and tells folders of several repositories apart', async () => {
    write('0003-empty.md', 'No heading.\n');
    expect(await importFolder('--prefix', 'web/')).toMatchObject({
      code: 1,
      errors: [expect.stringMatching(/^! 0003-empty\.md: .*title/)],
      text: expect.stringMatching(/2 created, 0 changed, 0 unchanged, 1 refused$/),
    });
    expect((await decisions()).map((each) => each['external_id'])).toEqual([
      'ARCH-1',
      'web/old/0002-use-tabs.md',
    ]);
  });

  it('refuses files with one external id, and a folder without decisions, before it changes anything', async () => {
    write('0003-also-nats.md', nats('it is the same.'));
    expect(await importFolder()).toMatchObject({ code: 2, errors: [expect.stringContaining('ARCH-1')] });
    const env = { WAYMARK_URL: product.url, WAYMARK_API_KEY: owner.key };
    const missing = await runWith({ env }, 'decisions', 'import', join(folder, 'missing'));
    expect(missing).toMatchObject({ code: 2, errors: [expect.stringContaining('cannot be read')] });
    expect(await decisions()).toEqual([]);
  });
});
