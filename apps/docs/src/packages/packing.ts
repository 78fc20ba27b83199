import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { create } from 'tar';

export interface Packing {
  /** The checkout. */
  root: string;
  /** A temporary folder for the packed files. */
  work: string;
  out: string;
  version: string;
}

/** The time of all files, which npm gives them too. */
const TIME = new Date('1985-10-26T08:15:00Z');

/** Copies files of the checkout, by their new paths in `folder`. */
export function copyFiles(root: string, folder: string, files: Record<string, string>): void {
  for (const [to, from] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(root, from), join(folder, to), { recursive: true });
  }
}

export const writeJson = (file: string, value: unknown) =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** The paths of all files below a folder, sorted. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** Packs a folder as `file`, a .tgz in which it is named `prefix`. */
export async function packTgz(folder: string, file: string, prefix: string): Promise<void> {
  await create(
    {
      ...{ file, cwd: folder, prefix, gzip: { level: 9 }, portable: true, mtime: TIME },
      // Whatever the umask of the checkout.
      onWriteEntry: ({ stat }) => {
        stat!.mode = 0o644;
      },
    },
    filesIn(folder),
  );
}
