import { describe, expect, it } from '@jest/globals';
import { bodyOf, newEntries, percentOf } from './decision-entries.ts';

describe('a forecast in percent', () => {
  it.each([
    ['12.5', 12.5],
    ['12,5', 12.5],
    [' 80 ', 80],
    [',5', 0.5],
    ['', 0],
  ])('reads %j', (text, percent) => expect(percentOf(text)).toBe(percent));

  it.each(['1,000', '12,5,5', 'many'])('refuses %j', (text) => expect(percentOf(text)).toBeNaN());

  it('is sent as a share from 0 to 1, and an empty one as null', () => {
    expect(bodyOf({ ...newEntries(), forecast: '12,5' }).outcomeConfidence).toBe(0.125);
    expect(bodyOf(newEntries()).outcomeConfidence).toBeNull();
  });
});
