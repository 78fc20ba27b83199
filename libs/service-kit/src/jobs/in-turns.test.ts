import { expect, it } from '@jest/globals';
import { inTurns } from './in-turns.ts';

it('fetches each item in a turn, which ends before the item is processed', async () => {
  const order: string[] = [];
  async function* items() {
    for (const item of ['a', 'b']) {
      order.push(`fetch ${item}`);
      yield item;
    }
  }
  const turn = async () => {
    order.push('begin');
    return () => void order.push('end');
  };
  for await (const item of inTurns(items(), turn)) order.push(`process ${item}`);
  const ofItem = (item: string) => ['begin', `fetch ${item}`, 'end', `process ${item}`];
  expect(order).toEqual([...ofItem('a'), ...ofItem('b'), 'begin', 'end']);
});

it('ends the turn when a fetch fails, and the items when the consumer leaves', async () => {
  const state = { turns: 0, isClosed: false };
  const turn = async () => {
    state.turns += 1;
    return () => {
      state.turns -= 1;
    };
  };
  async function* failing() {
    yield await Promise.reject(new Error('broken'));
  }
  async function* lasting() {
    try {
      for (;;) yield 'item';
    } finally {
      state.isClosed = true;
    }
  }
  await expect(inTurns(failing(), turn).next()).rejects.toThrow('broken');
  for await (const _ of inTurns(lasting(), turn)) break;
  expect(state).toEqual({ turns: 0, isClosed: true });
});
