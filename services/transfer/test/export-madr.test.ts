import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually, keyPrincipal, sampleDecision } from '@waymark/testing';
import { madrOf } from '../src/madr/format-madr.ts';
import { readZip } from './read-zip.ts';
import { type Held, startTransferStack } from './transfer-stack.ts';

const stack = await startTransferStack();
afterAll(() => stack.stop());

const keyOf = ({ id }: Held) => keyPrincipal({ workspace_id: id, scopes: ['read'] });
const exported = (held: Held) => stack.stream(keyOf(held), `/export/madr?workspaceId=${held.id}`);

describe('GET /export/madr', () => {
  it('returns an archive with one file per decision, numbered from the oldest', async () => {
    const decisions = ['First', 'Zweite Ä', 'First'].map((title) => sampleDecision({ title }));
    const held = stack.hold({ decisions });
    const response = await exported(held);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(response.headers['content-disposition']).toBe(`attachment; filename="decisions-${held.id}.zip"`);
    expect([...readZip(await buffer(response))]).toEqual([
      ['0001-first.md', madrOf(decisions[0]!)],
      ['0002-zweite-ä.md', madrOf(decisions[1]!)],
      ['0003-first.md', madrOf(decisions[2]!)],
    ]);
  });

  it('names members, except those who share a name or are named like an id', async () => {
    const named = (name: string) => ({ user_id: newId(), name, role: 'member' as const });
    const members = ['Ada', 'Eve', 'Eve', newId()].map(named);
    const consulted = [...members.map(({ user_id }) => user_id), 'Platform team', newId()];
    const held = stack.hold({ decisions: [sampleDecision({ consulted })] });
    held.members = members;
    const [text] = readZip(await buffer(await exported(held))).values();
    expect(text).toContain(`\nconsulted: ${JSON.stringify(['Ada', ...consulted.slice(1)])}\n`);
  });

  it('returns an empty archive for an empty workspace', async () => {
    expect(readZip(await buffer(await exported(stack.hold()))).size).toBe(0);
  });

  it('writes one audit entry', async () => {
    const held = stack.hold();
    await buffer(await exported(held));
    const events = () => stack.events.filter((event) => event.workspace_id === held.id);
    await eventually(() => expect(events()).toHaveLength(1));
    expect(events()[0]).toMatchObject({ type: 'workspace.exported_madr', action: 'workspace.export_madr' });
  });

  it('closes the connection when a service fails during the export', async () => {
    const broken = stack.hold({ decisions: Array.from({ length: 9 }, () => sampleDecision()) });
    broken.breaksAtPage = 4;
    await expect(exported(broken).then(buffer)).rejects.toThrow(/aborted|hang up/);
  });
});
