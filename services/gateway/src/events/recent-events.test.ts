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
  it('finds the index after a sequence, also where sequences have gaps', () => {
    const recent = filled(10, [2, 5, 9]);
    expect([0, 2, 4, 5, 9, 50].map((sequence) => recent.indexAfter(sequence))).toEqual([0, 1, 1, 2, 3, 3]);
  });

  it('reports that events after a sequence have been dropped', () => {
    const recent = filled(3, [1, 2, 3, 4, 5]);
    expect(recent.indexAfter(1)).toBeNull();
    expect(recent.at(recent.indexAfter(2)!)?.sequence).toBe(3);
    expect([recent.at(1), recent.at(4)?.sequence, recent.at(5)]).toEqual([undefined, 5, undefined]);
  });

  it('restarts after a sequence, with indexes that continue', () => {
    const recent = filled(3, [1, 2, 3]);
    recent.restart(70);
    expect([recent.start(), recent.end(), recent.indexAfter(69), recent.indexAfter(70)]).toEqual([
      3,
      3,
      null,
      3,
    ]);
    recent.push(event(75));
    expect([recent.at(3)?.sequence, recent.at(2), recent.indexAfter(74)]).toEqual([75, undefined, 3]);
  });
});
