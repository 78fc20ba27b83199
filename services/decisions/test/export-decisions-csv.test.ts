import { describe, expect, it } from '@jest/globals';
import { Decision } from '@waymark/contracts';
import { eventually, keyPrincipal } from '@waymark/testing';
import { parseCsv } from './parse-csv.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();

async function exported(key: ReturnType<typeof keyPrincipal>): Promise<Record<string, string>[]> {
  const { status, headers, text } = await suite.get(key, '/decisions/export-csv');
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers['content-disposition']).toBe(`attachment; filename="decisions-${key.workspace_id}.csv"`);
  const [header, ...rows] = parseCsv(text);
  expect(header).toEqual(Object.keys(Decision.shape));
  return rows.map((row) => {
    expect(row).toHaveLength(header!.length);
    return Object.fromEntries(header!.map((name, i) => [name, row[i]!]));
  });
}

describe('GET /decisions/export-csv', () => {
  it('contains only the decisions with the given ids, of this workspace', async () => {
    const key = keyPrincipal();
    const elsewhere = await suite.create(keyPrincipal(), { title: 'elsewhere' });
    const one = await suite.create(key, { title: 'One' });
    await suite.create(key, { title: 'Two' });
    const ids = [one.id, elsewhere.id].join(',');
    const { text } = await suite.get(key, '/decisions/export-csv', { ids });
    expect(parseCsv(text).map(([id]) => id)).toEqual(['id', one.id]);
    const tooMany = Array.from({ length: 201 }, () => one.id).join();
    for (const wrong of ['x', '', `${one.id},`, tooMany]) {
      const answer = await suite.get(key, '/decisions/export-csv', { ids: wrong });
      expect([wrong, answer.status]).toEqual([wrong, 400]);
    }
  });

  it('contains every field of every decision, in the order of the list', async () => {
    const key = keyPrincipal();
    await suite.create(keyPrincipal(), { title: 'elsewhere' });
    const options = [{ title: 'A "quoted", one', pros: ['x\ny'], cons: [] }, 'B'];
    await suite.create(key, {
      title: 'One, "two"\r\nthree\n',
      optionsConsidered: options,
      tags: ['ä,ö', '日本'],
    });
    suite.clock.nowMs += 1;
    await suite.create(key, {
      title: 'Later',
      description: 'line\nline',
      rationale: 'a\rb',
      outcomeConfidence: 0.25,
      expectedBy: '2027-01-31',
    });
    const { decisions } = (await suite.get(key, '/decisions')).body as { decisions: Decision[] };
    const rows = await exported(key);
    const cells = decisions.map((decision) =>
      Object.fromEntries(
        Object.entries(decision).map(([field, value]) => [
          field,
          value === null ? '' : Array.isArray(value) ? JSON.stringify(value) : String(value),
        ]),
      ),
    );
    expect(rows).toEqual(cells);
    expect(rows.map(({ title }) => title)).toEqual(['Later', 'One, "two"\r\nthree\n']);
  });

  it('contains all decisions, however many pages they fill', async () => {
    const key = keyPrincipal();
    const { id: _, ...one } = await suite.create(key);
    const many = Array.from({ length: 1_234 }, (__, i) => ({ _id: `d${i}`, ...one, title: `T${i}` }));
    await suite.collection('decisions').insertMany(many);
    const rows = await exported(key);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1_235);
  });

  it('writes one audit entry before the first byte, and only the header for an empty workspace', async () => {
    const key = keyPrincipal({ scopes: ['read'] });
    expect(await exported(key)).toEqual([]);
    const ours = () => suite.one.events.filter((event) => event.workspace_id === key.workspace_id);
    await eventually(() => expect(ours()).toHaveLength(1));
    expect(ours()[0]).toMatchObject({
      type: 'decision.exported',
      action: 'decision.export',
      actor: { id: key.key_id },
      data: {},
    });
  });
});
