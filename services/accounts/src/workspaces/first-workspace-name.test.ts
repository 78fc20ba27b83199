import { expect, it } from '@jest/globals';
import { firstWorkspaceName } from './first-workspace-name.ts';

it.each([
  ['Jörg', null, "Jörg's workspace"],
  ['Jörg', 'en-GB,de;q=0.5', "Jörg's workspace"],
  ['Jörg', 'de-AT,de;q=0.9,en;q=0.5', 'Jörgs Workspace'],
  ['Moritz', 'de', 'Moritz’ Workspace'],
  ['Dora', 'den', "Dora's workspace"],
])('the first workspace of %s with %s is "%s"', (name, acceptLanguage, expected) => {
  expect(firstWorkspaceName(name, acceptLanguage)).toBe(expected);
});
