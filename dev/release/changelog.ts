/** Throws unless the newest entry of a changelog is that of the version, with a date. */
export function assertNewestEntry(changelog: string, version: string): void {
  const newest = /^## .*$/m.exec(changelog)?.[0] ?? 'no entry';
  const expected = `## [${version}] - `;
  if (!newest.startsWith(expected) || !/^\d{4}-\d\d-\d\d$/.test(newest.slice(expected.length)))
    throw new Error(`CHANGELOG.md begins with "${newest}" instead of "${expected}<date>"`);
}
