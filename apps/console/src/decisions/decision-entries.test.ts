import { describe, expect, it } from '@jest/globals';
import { bodyOf, type DecisionEntries, newEntries, percentOf, revivedEntries } from './decision-entries.ts';

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

describe('the values of a draft', () => {
  it('are completed, and refused where the form cannot show them', () => {
    const draft = (values: object) => ({ options: [], ...values }) as unknown as DecisionEntries;
    expect(revivedEntries(draft({ title: 'Keep the lamp' }))).toMatchObject({
      title: 'Keep the lamp',
      criteria: '',
    });
    expect(() => revivedEntries(draft({ title: null }))).toThrow(TypeError);
    expect(() => revivedEntries(draft({ tags: ['a'] }))).toThrow(TypeError);
    expect(() => revivedEntries(draft({ options: [{ title: 7 }] }))).toThrow(TypeError);
  });
});
