import { describe, expect, it } from '@jest/globals';
import { type Decision, limits, newId } from '@waymark/contracts';
import { keyPrincipal, sampleDecision, servicePrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = await startSuite();
type Key = ReturnType<typeof keyPrincipal>;

/** A chain of decisions that supersede each other. The first one supersedes only `supersedes`. */
function chain(length: number, supersedes: string | null = null): Decision[] {
  const decisions: Decision[] = [];
  for (let i = 0; i < length; i += 1) {
    decisions.push(sampleDecision({ supersedes: decisions.at(-1)?.id ?? supersedes }));
  }
  return decisions;
}

async function importedAll(key: Key, decisions: Decision[]) {
  for (let at = 0; at < decisions.length; at += limits.importPortionRecords) {
    const answer = await suite.import(key, decisions.slice(at, at + limits.importPortionRecords));
    expect(answer.status).toBe(200);
  }
}

describe('an import of decisions that supersede others', () => {
  it('does not close a cycle through a link to a deleted decision', async () => {
    const key = keyPrincipal();
    const gone = sampleDecision();
    const [low, high] = chain(2, gone.id);
    await importedAll(key, [low!, high!]);
    const answer = await suite.import(key, [sampleDecision(), { ...gone, supersedes: high!.id }]);
    expect([answer.status, answer.body.error]).toEqual([409, 'CONFLICT']);
    expect(await suite.count(key, 'decisions')).toBe(2);
    expect((await suite.import(key, [gone])).status).toBe(200);
  });

  it('does not close a cycle across portions', async () => {
    const key = keyPrincipal();
    const decisions = chain(3);
    decisions[0]!.supersedes = decisions[2]!.id;
    for (const one of decisions.slice(0, 2)) expect((await suite.import(key, [one])).status).toBe(200);
    expect((await suite.import(key, [decisions[2]!])).body.error).toBe('CONFLICT');
  });

  it('does not exceed the longest allowed chain, in any order of its parts', async () => {
    const LENGTH = limits.supersedesChain + 2;
    for (const last of [0, 40, LENGTH - 1]) {
      const key = keyPrincipal();
      const decisions = chain(LENGTH);
      await importedAll(key, decisions.toSpliced(last, 1));
      const answer = await suite.import(key, [decisions[last]!]);
      expect([last, answer.body.error]).toEqual([last, 'LIMIT_EXCEEDED']);
      expect(await suite.count(key, 'decisions')).toBe(LENGTH - 1);
    }
    await importedAll(keyPrincipal(), chain(limits.supersedesChain + 1));
  });

  it('returns what the existing decisions supersede', async () => {
    const key = keyPrincipal();
    const decisions = chain(2);
    await importedAll(key, decisions);
    const ids = [...decisions.map(({ id }) => id), newId()];
    const body = { workspace_id: key.workspace_id, collection: 'decisions', ids };
    const answer = await suite.call(
      servicePrincipal('transfer'),
      'POST',
      '/internal/imports/decisions/taken',
      { body },
    );
    expect(answer.body).toMatchObject({
      elsewhere: [],
      supersedes: { [decisions[1]!.id]: decisions[0]!.id },
    });
    expect(Object.keys(answer.body.supersedes)).toHaveLength(1);
  });
});
