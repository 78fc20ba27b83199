import { describe, expect, it } from '@jest/globals';
import { cursorCodec } from '@waymark/contracts';
import { identityOf, registered } from '../../test/identity-of.ts';
import { generateSigningKey } from '../process/identity-keys.ts';

type Steps = [string, ...string[]][];
const stepsOf = (old: string, fresh: string): Steps => [[old], [old, fresh], [fresh, old], [fresh]];
/** During a rolling restart, some services are at one step and some at the step before. */
const rollingOf = (steps: Steps) =>
  steps.slice(1).flatMap((after, i) => {
    const before = steps[i]!;
    return [
      { from: before, to: after },
      { from: after, to: before },
    ];
  });

const OLD = 'the old secret, at least thirty-two characters';
const NEW = 'the new secret, at least thirty-two characters';
const [OLD_KEY, NEW_KEY, OTHER_KEY] = [generateSigningKey(), generateSigningKey(), generateSigningKey()];
const principal = { type: 'service', service: 'gateway' } as const;

const publicKeys = (keys: readonly string[]) => registered({ gateway: keys.join(), threads: OTHER_KEY });
const sender = (keys: readonly string[]) => identityOf('gateway', keys.join(), publicKeys(keys));
const receiver = (keys: readonly string[]) => identityOf('threads', OTHER_KEY, publicKeys(keys));

describe('while identity keys rotate', () => {
  it.each(rollingOf(stepsOf(OLD_KEY, NEW_KEY)))(
    'tokens made with $from.length keys are valid with $to.length',
    async ({ from, to }) => {
      const token = await sender(from).sign(principal, 'threads');
      expect(await receiver(to).verify(token)).toEqual(principal);
    },
  );

  it('the old key is refused after its removal', async () => {
    const token = await sender([OLD_KEY]).sign(principal, 'threads');
    await expect(receiver([NEW_KEY]).verify(token)).rejects.toThrow();
  });
});

describe('while cursor secrets rotate', () => {
  it.each(rollingOf(stepsOf(OLD, NEW)))(
    'cursors made with $from.length secrets are valid with $to.length',
    ({ from, to }) => {
      const cursor = cursorCodec(...from).encode('a list', ['2026-01-01', 1]);
      expect(cursorCodec(...to).decode('a list', cursor)).toEqual(['2026-01-01', 1]);
    },
  );

  it('the old secret is refused after its removal', () => {
    const cursor = cursorCodec(OLD).encode('a list', [1]);
    expect(() => cursorCodec(NEW).decode('a list', cursor)).toThrow();
  });
});
