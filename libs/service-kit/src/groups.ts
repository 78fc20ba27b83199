import { createTurns } from './turns.ts';

/** Small enough that a group's transaction takes no longer than a few single ones. */
const MEMBERS_MAX = 64;

/**
 * Hands members to `write` in groups, one group after another: whoever comes while one is written waits for the next.
 * `write` settles its members itself and never throws.
 */
export function createGroups<M>(write: (members: readonly M[]) => Promise<void>): (member: M) => void {
  const inTurn = createTurns();
  const waiting: M[] = [];

  function callNext(): void {
    void inTurn('group', () => {
      const members = waiting.splice(0, MEMBERS_MAX);
      if (waiting.length > 0) callNext();
      return write(members);
    });
  }

  return (member) => {
    if (waiting.push(member) === 1) callNext();
  };
}
