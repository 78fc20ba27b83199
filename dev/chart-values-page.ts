import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';

const HEAD = `# Values of the chart

\`npm run generate\` generates this page from [values.yaml](../../deploy/helm/waymark/values.yaml), and a test compares them.
[values.schema.json](../../deploy/helm/waymark/values.schema.json) refuses others and names their path. A value below another one has the
meaning that both tell.

| Value | Default | Meaning |
| --- | --- | --- |`;

/** Returns a row for each value, and one for each object of values that has a comment. */
function rowsOf(map: YAMLMap, path: string): string[] {
  return map.items.flatMap(({ key, value }, index) => {
    if (!isScalar(key)) throw new Error(`${path}: a key is no text`);
    const name = path === '' ? String(key.value) : `${path}.${key.value}`;
    // The comment before the first value of an object is that of the object.
    const comment = (index === 0 ? map.commentBefore : undefined) ?? key.commentBefore ?? '';
    const meaning = comment
      .split(/\n\s*\n/)
      .at(-1)!
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()
      .replaceAll('|', '\\|')
      // In code, nothing is escaped.
      .replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found));
    if (!isMap(value) || value.items.length === 0) {
      const standard = JSON.stringify((value as { toJSON(): unknown } | null)?.toJSON() ?? null);
      return [`| \`${name}\` | \`${standard.replaceAll('|', '\\|')}\` | ${meaning} |`];
    }
    return [...(meaning ? [`| \`${name}\` | | ${meaning} |`] : []), ...rowsOf(value, name)];
  });
}

/** Returns docs/operating/chart-values.md: every value of the chart. */
export function chartValuesPage(): string {
  const values = resolve(import.meta.dirname, '../deploy/helm/waymark/values.yaml');
  const { contents } = parseDocument(readFileSync(values, 'utf8'));
  if (!isMap(contents)) throw new Error('values.yaml is no object');
  return `${HEAD}\n${rowsOf(contents, '').join('\n')}\n`;
}
