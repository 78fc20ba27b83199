import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifest } from '../../../../deploy/docker/bundle.mjs';
import { packCli } from './cli.ts';
import { packClient } from './client.ts';
import { packGo } from './go.ts';
import { packWheel } from './wheel.ts';

/**
 * Writes the SDKs and the command line, as archives that need no registry, with SHA256SUMS into `out`. They
 * are built without network, and equal byte for byte if their sources are. `root` is a checkout with
 * installed packages.
 */
export async function buildPackages(root: string, out: string): Promise<void> {
  const { version } = readManifest(root);
  const work = mkdtempSync(join(tmpdir(), 'waymark-packages-'));
  mkdirSync(out, { recursive: true });
  try {
    const packing = [packClient, packCli, packGo, packWheel].map((pack) =>
      pack({ root, work, out, version }),
    );
    await Promise.all(packing);
  } finally {
    rmSync(work, { recursive: true });
  }
  const lines = readdirSync(out)
    .sort()
    .map((name) => `${sumOf(join(out, name))}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
