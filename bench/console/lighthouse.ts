import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findRepositoryRoot } from '@waymark/local-stack';
import { buildPages } from '../../dev/build-pages.ts';
import { findChromium } from '../../tests/e2e/support/find-chromium.ts';
import { startBench } from '../support/bench.ts';
import { machine } from '../support/table.ts';

/**
 * `npm run bench:lighthouse`: the scores of the built console. npx fetches Lighthouse: 176 MB are too much
 * for every installation. Exits with 1 for a score below its goal.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
/** Lighthouse's own: a phone with a slow connection and a quarter of the processor, and a desktop. */
const GOALS = { desktop: 100, phone: 85 };
const DEVICES = ['desktop', 'phone'] as const;
const FLAGS = ['--quiet', '--output=json', '--chrome-flags=--headless=new --no-sandbox'];

interface Report {
  categories: Record<
    string,
    { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

await buildPages({ root: findRepositoryRoot(), log: console.error });
const bench = await startBench({ only: ['accounts', 'decisions', 'search'] });
const { origin } = new URL(bench.baseUrl);
const { workspaceId, cookie, call } = await bench.workspace();
const directory = await mkdtemp(join(tmpdir(), 'waymark-lighthouse-'));
try {
  const ids: string[] = [];
  for (let at = 1; at <= 30; at += 1) {
    const title = `Decision ${at} about where to build`;
    const rationale = 'It is **dry** there.';
    ids.push((await call('POST', '/decisions', { body: { title, rationale, tags: ['site'] } })).id);
  }
  const list = `/w/${workspaceId}/decisions`;
  const scores: Record<string, unknown>[] = [];
  const paths = ['/sign-in', list, `${list}/${ids[0]}`];
  for (const [path, device] of paths.flatMap((path) => DEVICES.map((device) => [path, device] as const))) {
    const { categories, audits } = await lighthouse(path, device);
    const row = Object.values(categories).map(({ title, score }) => [title, Math.round((score ?? 0) * 100)]);
    scores.push({ page: path.replace(workspaceId, '…'), device, ...Object.fromEntries(row) });
    for (const { title, auditRefs } of Object.values(categories)) {
      for (const { id, weight } of auditRefs) {
        const { score, displayValue = '', ...audit } = audits[id]!;
        if (weight > 0 && score !== null && score < 0.9)
          console.log(`${path.slice(-12)}, ${device}, ${title}: ${audit.title} ${score} ${displayValue}`);
      }
    }
  }
  console.log(`${LIGHTHOUSE}, ${machine()}`);
  console.table(scores);
  const isBelow = scores.some(({ device, ...row }) =>
    Object.values(row).some((score) => Number(score) < GOALS[device as keyof typeof GOALS]),
  );
  if (isBelow) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
  await bench.stop();
}

async function lighthouse(path: string, device: (typeof DEVICES)[number]): Promise<Report> {
  const file = join(directory, 'report.json');
  const headers = path === '/sign-in' ? [] : [`--extra-headers=${JSON.stringify({ cookie })}`];
  const options = [
    ...FLAGS,
    ...(device === 'desktop' ? ['--preset=desktop'] : []),
    ...headers,
    `--output-path=${file}`,
  ];
  const env = { ...process.env, CHROME_PATH: findChromium(process.env)! };
  const run = () => promisify(execFile)('npx', ['--yes', LIGHTHOUSE, origin + path, ...options], { env });
  // Now and then it misses the start of the page (NO_NAVSTART), and says to run it again.
  await run().catch(run);
  return JSON.parse(await readFile(file, 'utf8')) as Report;
}
