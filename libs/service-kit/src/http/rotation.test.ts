import { describe, expect, it } from '@jest/globals';
import { cursorCodec } from '@waymark/contracts';
import { identityTokens } from './identity-token.ts';

const OLD = 'the old secret, at least thirty-two characters';
const NEW = 'the new secret, at least thirty-two characters';
const steps: [string, ...string[]][] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
/** While services are rolled one after another, some are at a step and some at the one before. */
const rolling = steps.slice(1).flatMap((after, i) => {
  const before = steps[i]!;
  return [
    { from: before, to: after },
    { from: after, to: before },
  ];
});

describe('while the identity secret rotates', () => {
  it.each(rolling)(
    'callers and cursors of $from.length secrets pass where there are $to.length',
    async (roll) => {
      const principal = { type: 'service', service: 'gateway' } as const;
      const token = await identityTokens(roll.from).sign(principal);
      expect(await identityTokens(roll.to).verify(token)).toEqual(principal);
      const cursor = cursorCodec(...roll.from).encode('a list', ['2026-01-01', 1]);
      expect(cursorCodec(...roll.to).decode('a list', cursor)).toEqual(['2026-01-01', 1]);
    },
  );

  it('the old one is refused when it is gone', async () => {
    const token = await identityTokens([OLD]).sign({ type: 'service', service: 'gateway' });
    await expect(identityTokens([NEW]).verify(token)).rejects.toThrow();
    const cursor = cursorCodec(OLD).encode('a list', [1]);
    expect(() => cursorCodec(NEW).decode('a list', cursor)).toThrow();
  });
});
