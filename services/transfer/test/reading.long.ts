import { once } from 'node:events';
import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ImportJob } from '@waymark/contracts';
import { eventually, keyPrincipal, patience, undisturbed } from '@waymark/testing';
import { makeZip } from 'client-zip';
import { startTransferStack } from './transfer-stack.ts';

const PROCESSOR_MAX_MS = patience(30_000);
const BLOCKED_MAX_MS = patience(1_000);
const USUAL_MAX_MS = patience(200);

/** Answers for decisions that none of the ids is taken. */
const decisions = http.createServer((_, response) => {
  response
    .setHeader('content-type', 'application/json')
    .end('{"here":[],"elsewhere":[],"stored":0,"unlike":[]}');
});
await once(decisions.listen(0, '127.0.0.1'), 'listening');
const { port } = decisions.address() as { port: number };
const stack = await startTransferStack({ DECISIONS_URL: `http://127.0.0.1:${port}` });
afterAll(async () => {
  await stack.stop();
  decisions.close();
  decisions.closeAllConnections();
});

/** Imports a file. The event loop is blocked for `blockedMs` at most, `usualMs` in 99 of 100 samples. */
function whileImporting(rawBody: Buffer, contentType: string) {
  return undisturbed(
    async () => {
      const key = keyPrincipal();
      const before = process.cpuUsage();
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const headers = { 'content-type': contentType };
      const query = { workspaceId: key.workspace_id, dryRun: true };
      const { body } = await stack.call(key, 'POST', '/imports', { query, rawBody, headers });
      const job: ImportJob = await eventually(async () => {
        const { body: read } = await stack.call(key, 'GET', `/imports/${body.id}`);
        return read.finished_at !== null && read;
      });
      delay.disable();
      const { user, system } = process.cpuUsage(before);
      return {
        job,
        processorMs: (user + system) / 1_000,
        blockedMs: delay.max / 1e6,
        usualMs: delay.percentile(99) / 1e6,
      };
    },
    ({ processorMs, blockedMs, usualMs }) =>
      processorMs < PROCESSOR_MAX_MS && blockedMs < BLOCKED_MAX_MS && usualMs < USUAL_MAX_MS,
  );
}

describe('the reading of a file', () => {
  it('takes little of the process for an archive of hostile front matter', async () => {
    const input = `---\n${']'.repeat(65_000)}\n---\n# T`;
    const files = Array.from({ length: 200 }, (_, i) => ({ name: `${i}.md`, input }));
    const measured = await whileImporting(await buffer(makeZip(files)), 'application/zip');
    expect(measured.job).toMatchObject({ status: 'succeeded', progress: { total: { decisions: 200 } } });
    expect(measured.processorMs).toBeLessThan(PROCESSOR_MAX_MS);
    expect(measured.usualMs).toBeLessThan(USUAL_MAX_MS);
    expect(measured.blockedMs).toBeLessThan(BLOCKED_MAX_MS);
  });

  it('lets other work of the process run', async () => {
    const many = Buffer.from(`{"schema_version":1,"decisions":[${'0,'.repeat(200_000)}0]}`);
    const { job, usualMs, blockedMs } = await whileImporting(many, 'application/json');
    expect(job.issue_count).toBeGreaterThan(200_000);
    expect(usualMs).toBeLessThan(USUAL_MAX_MS);
    expect(blockedMs).toBeLessThan(BLOCKED_MAX_MS);
  });
});
