import { expect, it } from '@jest/globals';
import { taskTurns } from './task-queue.ts';

it('searches come first, but for one other task behind eight of them', () => {
  const turns = taskTurns<string>();
  for (const name of ['a', 'b', 'c']) turns.add(name, false);
  for (let i = 1; i <= 20; i += 1) turns.add(`search ${i}`, true);
  const order = Array.from({ length: 23 }, () => turns.next());
  expect([order.indexOf('a'), order.indexOf('b'), order.indexOf('c')]).toEqual([8, 17, 22]);
  expect(order[0]).toBe('search 1');
  expect([turns.next(), turns.isQuiet()]).toEqual([undefined, true]);
});
