import { describe, expect, it } from '@jest/globals';
import { cursorCodec } from '@waymark/contracts';
import { identityTokens } from './identity-token.ts';

const OLD = 'the old secret, at least thirty-two characters';
const NEW = 'the new secret, at least thirty-two characters';
const steps: [string, ...string[]][] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
/** During a rolling restart, some services are at one step and some at the step before. */
const rolling = steps.slice(1).flatMap((after, i) => {
  const before = steps[i]!;
  return [
    { from: before, to: after },
    { from: after, to: before },
  ];
});

describe('while the identity secret rotates', () => {
  it.each(rolling)(
    'tokens and cursors made with $from.length secrets are valid with $to.length',
    async (roll) => {
      const principal = { type: 'service', service: 'gateway' } as const;
      const token = await identityTokens(roll.from).sign(principal);
      expect(await identityTokens(roll.to).verify(token)).toEqual(principal);
      const cursor = cursorCodec(...roll.from).encode('a list', ['2026-01-01', 1]);
      expect(cursorCodec(...roll.to).decode('a list', cursor)).toEqual(['2026-01-01', 1]);
    },
  );

  it('the old secret is refused after its removal', async () => {
    const token = await identityTokens([OLD]).sign({ type: 'service', service: 'gateway' });
    await expect(identityTokens([NEW]).verify(token)).rejects.toThrow();
    const cursor = cursorCodec(OLD).encode('a list', [1]);
    expect(() => cursorCodec(NEW).decode('a list', cursor)).toThrow();
  });
});
