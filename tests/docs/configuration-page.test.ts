import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { chartValuesPage } from '../../dev/chart-values-page.ts';
import { configurationPage } from '../../dev/configuration-page.ts';

it('docs/operating/configuration.md lists every variable that a service reads (to update it: npm run docs:configuration)', () => {
  const page = readFileSync(new URL('../../docs/operating/configuration.md', import.meta.url), 'utf8');
  expect(page).toBe(configurationPage());
});

it('docs/operating/chart-values.md lists every value of the chart (to update it: npm run docs:configuration)', () => {
  const page = readFileSync(new URL('../../docs/operating/chart-values.md', import.meta.url), 'utf8');
  expect(page).toBe(chartValuesPage());
});
