import { describe, expect, it } from '@jest/globals';
import { recentEvents } from './recent-events.ts';

const event = (sequence: number) => ({ sequence, workspaceId: 'w', type: 'node.created', text: '' }) as const;

function filled(max: number, sequences: number[]) {
  const recent = recentEvents(max);
  recent.restart(0);
  for (const sequence of sequences) recent.push(event(sequence));
  return recent;
}

describe('recentEvents', () => {
  it('finds the place behind a sequence, also where sequences have gaps', () => {
    const recent = filled(10, [2, 5, 9]);
    expect([0, 2, 4, 5, 9, 50].map((sequence) => recent.placeAfter(sequence))).toEqual([0, 1, 1, 2, 3, 3]);
  });

  it('says when events behind a sequence are gone', () => {
    const recent = filled(3, [1, 2, 3, 4, 5]);
    expect(recent.placeAfter(1)).toBeNull();
    expect(recent.at(recent.placeAfter(2)!)?.sequence).toBe(3);
    expect([recent.at(1), recent.at(4)?.sequence, recent.at(5)]).toEqual([undefined, 5, undefined]);
  });

  it('begins anew behind a sequence, at places of their own', () => {
    const recent = filled(3, [1, 2, 3]);
    recent.restart(70);
    expect([recent.start(), recent.end(), recent.placeAfter(69), recent.placeAfter(70)]).toEqual([
      3,
      3,
      null,
      3,
    ]);
    recent.push(event(75));
    expect([recent.at(3)?.sequence, recent.at(2), recent.placeAfter(74)]).toEqual([75, undefined, 3]);
  });
});
