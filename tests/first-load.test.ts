import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { buildConsole } from '../dev/console.ts';

const LIMIT_BYTES = 200_000;
const BUILD_TIMEOUT_MS = 120_000;
/** Files that a page may load only on demand. */
const ON_DEMAND = /canvas|board|chart|markdown|dagre|xyflow|search-dialog/i;

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const root = findRepositoryRoot();
const dist = join(root, 'apps/console/dist');
let manifest: Record<string, Chunk>;
beforeAll(async () => {
  await buildConsole({ root, log: () => undefined });
  manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
}, BUILD_TIMEOUT_MS);

/** The scripts and style sheets that a browser loads for these sources, including their static imports. */
function filesOf(...sources: string[]): Set<string> {
  const chunks = new Set<string>();
  const add = (source: string) => {
    const chunk = manifest[source];
    if (!chunk) throw new Error(`${source} is not in the build; name what the page's route loads`);
    if (chunks.has(source)) return;
    chunks.add(source);
    for (const other of chunk.imports ?? []) add(other);
  };
  for (const source of sources) add(source);
  return new Set([...chunks].flatMap((source) => [manifest[source]!.file, ...(manifest[source]!.css ?? [])]));
}

const gzippedBytes = (file: string) => gzipSync(readFileSync(join(dist, file))).length;

describe.each([
  ['the sign-in page', 'src/auth/sign-in-page.tsx'],
  ['the first page of a signed-in user', 'src/decisions/list/decision-list-page.tsx'],
])('the first load of %s', (_, page) => {
  it(`stays below ${LIMIT_BYTES / 1_000} kB, gzipped`, () => {
    const files = [...filesOf('index.html', page)];
    const bytes = [...files, 'index.html'].reduce((sum, file) => sum + gzippedBytes(file), 0);
    expect(files.filter((file) => file.endsWith('.css')).length).toBeGreaterThan(0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(LIMIT_BYTES);
  });

  it('loads canvas, charts and Markdown only on demand', () => {
    expect([...filesOf('index.html', page)].filter((file) => ON_DEMAND.test(file))).toEqual([]);
  });
});

it('finds the files that the build excludes from the first load', () => {
  const canvas = filesOf('src/workflows/workflow-page.tsx');
  const all = Object.keys(manifest).filter((source) => ON_DEMAND.test(source));
  expect(all.length).toBeGreaterThan(2);
  expect(canvas.size).toBeGreaterThan(0);
});
