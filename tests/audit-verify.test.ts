import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type AuditEntry, contentSha256 } from '@waymark/contracts';
import { sampleDecision, testFolder } from '@waymark/testing';
import { run as runCommand } from '../apps/cli/test/run.ts';
import { headOf, sampleExport, sealEvents } from '../services/audit/test/sample-chain.ts';
import { sampleEvents } from '../services/audit/test/sample-event.ts';

const folder = testFolder();

const { entries, head, keys, publicKey } = sampleExport(5);

function write(name: string, lines: unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

async function run(...args: string[]) {
  const { code, out, errors } = await runCommand({}, 'audit', 'verify', ...args);
  return { code, out, errors };
}

const end = { head, public_key: publicKey };
const whole = write('whole.ndjson', [...entries, end]);

describe('waymark audit verify', () => {
  it('reports a valid export and the head to keep', async () => {
    const { code, out } = await run(whole, '--public-key', publicKey);
    expect(code).toBe(0);
    expect(out[0]).toContain('valid: 5 entries');
    expect(JSON.parse(out[1]!)).toEqual(head);
  });

  it('says how many entries an export withholds details of', async () => {
    const withheld: AuditEntry['withheld'] = ['changes', 'ip', 'user_agent', 'details_salt'];
    const nothing = { changes: null, ip: null, user_agent: null, details_salt: null };
    const partial = write('partial.ndjson', [
      ...entries.with(1, { ...entries[1]!, ...nothing, withheld }),
      end,
    ]);
    const { code, out, errors } = await run(partial, '--public-key', publicKey);
    expect([code, out[0]]).toEqual([0, 'valid: 5 entries; keep this head:']);
    expect(errors).toEqual([expect.stringMatching(/^details withheld from who exported: 1 entries/)]);
  });

  it('reports the fault of a changed export and exits with 1', async () => {
    const path = write('edited.ndjson', [
      ...entries.with(1, { ...entries[1]!, action: 'decision.read' }),
      end,
    ]);
    const { code, out, errors } = await run(path, '--public-key', publicKey);
    expect([code, out]).toEqual([1, []]);
    expect(errors[0]).toContain('NOT VALID: entry 2: ');
  });

  it.each([
    ['alone', (saved: unknown) => saved],
    ['inside an answer', (saved: unknown) => ({ head: saved })],
  ])('compares with a saved head, %s', async (name, wrap) => {
    const saved = write(`${name}.json`, [wrap(headOf(entries, keys))]);
    expect((await run(whole, '--public-key', publicKey, '--head', saved)).code).toBe(0);
    const older = headOf(entries.slice(0, 3), keys);
    const cut = write('cut.ndjson', [...entries.slice(0, 3), { ...end, head: older }]);
    expect((await run(cut, '--public-key', publicKey)).code).toBe(0);
    const { code, errors } = await run(cut, '--public-key', publicKey, '--head', saved);
    expect(code).toBe(1);
    expect(errors[0]).toContain('saved head');
  });

  it('shows who stood behind which text, and approvals that the log lacks', async () => {
    const decision = sampleDecision({ title: 'Now' });
    const { id } = decision;
    const before = { ...decision, title: 'Before' };
    const [first, second] = [before, decision].map(contentSha256) as [string, string];
    const events = sampleEvents(2).map((event, at) => ({
      ...event,
      ...{
        workspace_id: decision.workspace_id,
        action: 'decision.approve',
        subject: { type: 'decision', id, version: 1 },
      },
      actor: { type: 'session' as const, id: 'mira', name: 'Mira', key_prefix: null },
      changes: { content_sha256: { before: null, after: [first, second][at] } },
    }));
    const sealed = sealEvents(events);
    const log = write('approved.ndjson', [...sealed, { head: headOf(sealed, keys), public_key: publicKey }]);
    const approval = {
      ...{ id: 'a1', decision_id: id, verdict: 'approve', content_sha256: first, imported_by: null },
      approver: { id: 'mira' },
    };
    const history = [{ decision_id: id, version: 2, changes: { title: { before: 'Before', after: 'Now' } } }];
    const withDecision = (present: object, ...approvals: object[]) => {
      const file = write('workspace.json', [{ decisions: [present], history, approvals }]);
      return run(log, '--public-key', publicKey, '--workspace', file);
    };
    const withApprovals = (...approvals: object[]) => withDecision(decision, ...approvals);
    const { code, out, errors } = await withApprovals(approval, {
      ...approval,
      id: 'a2',
      imported_by: 'jonas',
    });
    expect([code, out.slice(2)]).toEqual([
      0,
      [
        `decision ${id}, "Now":`,
        expect.stringMatching(`entry 1, .*: Mira approved an earlier text, "Before" \\(sha256 ${first}\\)$`),
        expect.stringMatching(`entry 2, .*: Mira approved the present text \\(sha256 ${second}\\)$`),
      ],
    ]);
    expect(errors).toEqual([`imported, so nothing proves it: approve a2 of decision ${id}`]);
    for (const forged of [
      { approver: { id: 'jonas' } },
      { verdict: 'object' },
      { content_sha256: 'f'.repeat(64) },
    ]) {
      const { code, errors } = await withApprovals(approval, { ...approval, ...forged, id: 'forged' });
      expect([code, errors.at(-1)]).toEqual([
        1,
        expect.stringMatching(`lacks [a-z]+ forged of decision ${id}$`),
      ]);
    }
    const current = { ...approval, content_sha256: second, state: 'current' };
    expect((await withApprovals(current)).code).toBe(0);
    const ofForgedText = await withDecision({ ...decision, title: 'Forged' }, current);
    expect([ofForgedText.code, ofForgedText.errors.at(-1)]).toEqual([
      1,
      expect.stringMatching(`has another text than approve a1 of decision ${id}$`),
    ]);
    expect((await run(log, '--public-key', publicKey, '--workspace', log)).code).toBe(1);
  });

  it.each([
    ['no key', [whole]],
    ['no file', ['--public-key', publicKey]],
    ['a file that does not exist', [join(folder, 'absent'), '--public-key', publicKey]],
    ['an invalid key', [whole, '--public-key', 'AAAA']],
    ['an invalid head', [whole, '--public-key', publicKey, '--head', whole]],
    ['an unknown option', [whole, '--public-key', publicKey, '--force']],
  ])('exits with 1 and prints the reason in one line: %s', async (_, args) => {
    const { code, out, errors } = await run(...args);
    expect([code, out]).toEqual([1, []]);
    expect(errors[0]).toMatch(/^[^\n]{10,}$/);
  });
});
