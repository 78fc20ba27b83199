import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { create, extract } from 'tar';

/**
 * Writes a .tgz again with the bytes that its content alone determines: sorted names, one time for all files,
 * and neither owners nor the umask of whoever packed it.
 */
export async function makeReproducible(file: string, mtime: Date): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-archive-'));
  try {
    await extract({ file, cwd: folder });
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = found
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
    await create({ file, cwd: folder, gzip: { level: 9 }, portable: true, mtime }, names);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes SHA256SUMS, which `sha256sum --check` reads, of all files in a folder. */
export async function writeSums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('SHA256SUMS')).sort();
  const lines = names.map(async (name) => {
    const sum = createHash('sha256').update(await readFile(join(folder, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(folder, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}
