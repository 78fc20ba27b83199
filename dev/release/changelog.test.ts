import { expect, test } from '@jest/globals';
import { assertNewestEntry } from './changelog.ts';

const changelog = (...headings: string[]) => `# Changelog\n\n${headings.join('\n\n- A change.\n\n')}\n`;

test('a release needs a dated entry above all others', () => {
  expect(() =>
    assertNewestEntry(changelog('## [1.2.0] - 2026-12-31', '## [1.1.0] - 2026-11-24'), '1.2.0'),
  ).not.toThrow();
  for (const headings of [
    ['## [Unreleased]', '## [1.2.0] - 2026-12-31'],
    ['## [1.2.0]'],
    ['## [1x2.0] - 2026-12-31'],
    ['## [1.1.0] - 2026-11-24'],
    [],
  ])
    expect(() => assertNewestEntry(changelog(...headings), '1.2.0')).toThrow('CHANGELOG.md begins with');
});
