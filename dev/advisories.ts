/**
 * npm run advisories [-- <clone>]: writes deploy/advisories.ndjson, the known vulnerabilities of Node and the
 * stores, from a clone of Bitnami's database (Apache-2.0); without one, git clones it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SOURCE = 'https://github.com/bitnami/vulndb';
const SUMMARY_CHARACTERS = 120;
const PRODUCTS = ['node', 'mongodb', 'redis', 'nats'];

/** The fields of an OSV record that are read (https://ossf.github.io/osv-schema). */
interface OsvRecord {
  id: string;
  details: string;
  summary?: string;
  affected: { ranges?: { events: { introduced?: string; fixed?: string; last_affected?: string }[] }[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'waymark-advisories-'));
const git = (clone: string, ...args: string[]) =>
  execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim();

try {
  let clone = process.argv[2];
  if (!clone) {
    clone = join(folder, 'clone');
    execFileSync('git', ['clone', '--quiet', '--depth', '1', '--no-checkout', SOURCE, clone]);
  }
  const archive = join(folder, 'records.tar');
  git(clone, 'archive', '--output', archive, 'HEAD', ...PRODUCTS.map((product) => `data/${product}`));
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const advisories = PRODUCTS.flatMap((product) =>
    readdirSync(join(folder, 'data', product)).map((file) => {
      const text = readFileSync(join(folder, 'data', product, file), 'utf8');
      const { id, summary, details, affected } = JSON.parse(text) as OsvRecord;
      const events = affected.flatMap(({ ranges = [] }) => ranges.flatMap((range) => range.events));
      const about = (summary ?? details).split('\n')[0]!.slice(0, SUMMARY_CHARACTERS);
      return { product, id, events, summary: about };
    }),
  );
  const state = { source: SOURCE, commit: git(clone, 'log', '-1', '--format=%H %cs') };
  const lines = [state, ...advisories].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(resolve(import.meta.dirname, '../deploy/advisories.ndjson'), lines.join(''));
} finally {
  rmSync(folder, { recursive: true });
}
