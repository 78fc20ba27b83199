import { expect, it } from '@jest/globals';
import { newEntries } from '../decision-entries.ts';
import { draftQuality } from './draft-quality.ts';

const entries = { ...newEntries(), title: 'Where to build', forecast: '80' };
const learnability = (...frozen: [('forecast' | 'retrospective' | null)?]) =>
  draftQuality(entries, 'dq-1', ...frozen).components.find(({ name }) => name === 'learnability')!;

it('scores a forecast, but not a confidence that was stated after the outcome', () => {
  expect(learnability().points).toBe(6);
  expect(learnability('forecast').points).toBe(6);
  expect(learnability('retrospective').points).toBe(0);
  const raise = JSON.stringify(learnability(null));
  expect(raise).not.toContain('before the outcome is known');
});
