import { describe, expect, it } from '@jest/globals';
import { type ImportJob, MEBIBYTE } from '@waymark/contracts';
import { eventually, undisturbed } from '@waymark/testing';
import { zipOf } from '../services/transfer/test/zip-of.ts';
import { withBystander } from './support/bystander.ts';
import { joinProduct } from './support/join-product.ts';
import type { Workspace } from './support/records.ts';

const product = joinProduct();

async function imported({ key, workspaceId }: Workspace, rawBody: Buffer): Promise<ImportJob> {
  const headers = { 'content-type': 'application/zip' };
  const begun = await product.call('POST', '/imports', { key, query: { workspaceId }, rawBody, headers });
  expect(begun.status).toBe(202);
  return eventually(async () => {
    const job = (await product.call('GET', `/imports/${begun.body.id}`, { key })).body;
    return job.finished_at !== null && job;
  });
}

describe('hostile archives of one workspace', () => {
  const manyFiles = (text: string) =>
    zipOf(Array.from({ length: 200 }, (_, i) => ({ name: `${i}.md`, text })));
  const aliases = Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`);
  const archives: [name: string, archive: Buffer][] = [
    ['brackets as front matter', manyFiles(`---\n${']'.repeat(65_000)}\n---\n# T`)],
    ['aliases of aliases', manyFiles(`---\na0: &a0 x\n${aliases.join('\n')}\n---\n# T`)],
    ['nested lists', manyFiles(`# T\n\n${'* '.repeat(32_000)}x`)],
    ['a file that inflates', zipOf([{ name: '1.md', text: Buffer.alloc(200 * MEBIBYTE), claims: 10 }])],
  ];

  it.each(archives)('let another one export meanwhile: %s', async (_, archive) => {
    const [mine, { key, workspaceId }] = [await product.workspace(), await product.workspace()];
    const exported = () => product.call('GET', '/export', { key, query: { workspaceId } });
    const { result, harmed } = await undisturbed(
      () => withBystander(() => imported(mine, archive), exported),
      (measured) => measured.harmed.length === 0,
    );
    expect(result.finished_at).not.toBeNull();
    expect(harmed).toEqual([]);
  });
});
