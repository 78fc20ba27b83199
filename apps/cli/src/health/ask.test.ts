import { expect, it } from '@jest/globals';
import { twice } from './ask.ts';

/** Fails `failures` times, and records in `log` what happens. */
function asked(failures: number, log: string[]) {
  return async () => {
    log.push('ask');
    if (log.filter((each) => each === 'ask').length <= failures) throw new Error('away');
    return 'up';
  };
}

it('asks again once, after a pause', async () => {
  const log: string[] = [];
  const pause = async () => void log.push('pause');
  expect(await twice(asked(0, log), pause)).toBe('up');
  expect(log.splice(0)).toEqual(['ask']);
  expect(await twice(asked(1, log), pause)).toBe('up');
  expect(log.splice(0)).toEqual(['ask', 'pause', 'ask']);
  await expect(twice(asked(2, log), pause)).rejects.toThrow('away');
  expect(log).toEqual(['ask', 'pause', 'ask']);
});
