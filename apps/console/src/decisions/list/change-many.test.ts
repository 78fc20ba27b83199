import { describe, expect, it } from '@jest/globals';
import { WaymarkError } from '@waymark/client/api';
import { changeMany, type Progress } from './change-many.ts';

const refusal = (status: number, error: string, headers = {}) =>
  new WaymarkError(new Response(null, { status, headers }), { error });

describe('a change of many records', () => {
  it('waits as the rate limit asks, and goes on', async () => {
    const seen: Progress[] = [];
    const waited: number[] = [];
    const changed: string[] = [];
    let refusals = 1;
    const change = async (item: string) => {
      if (item === 'b' && refusals-- > 0) throw refusal(429, 'RATE_LIMITED', { 'retry-after': '7' });
      changed.push(item);
    };
    const wait = async (seconds: number) => void waited.push(seconds);
    expect(await changeMany(['a', 'b', 'c'], change, (progress) => seen.push(progress), wait)).toEqual([]);
    expect([changed, waited]).toEqual([['a', 'b', 'c'], [7]]);
    expect(seen).toContainEqual({ done: 1, of: 3, waitSeconds: 7 });
  });

  it('reports what failed, and changes the others', async () => {
    const gone = refusal(404, 'NOT_FOUND');
    const changed: string[] = [];
    const change = async (item: string) => {
      if (item === 'a') throw gone;
      changed.push(item);
    };
    expect(await changeMany(['a', 'b'], change, () => undefined)).toEqual([{ item: 'a', error: gone }]);
    expect(changed).toEqual(['b']);
  });
});
