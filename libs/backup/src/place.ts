import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@waymark/service-kit/make-folder';

/** Where the files of backups lie: a folder, or a prefix of an S3 bucket. Paths are relative, with `/`. */
export interface Place {
  /** The place as the operator wrote it. */
  name: string;
  /** The paths of all files, in no order; none when the place does not exist. */
  list(): Promise<string[]>;
  write(path: string, content: Readable): Promise<void>;
  /** Throws when there is no such file. */
  read(path: string): Promise<Readable>;
  remove(paths: readonly string[]): Promise<void>;
  /** The place below this one. */
  at(folder: string): Place;
}

const S3 = 's3://';

/**
 * Opens a folder, or `s3://bucket/prefix` with the environment variables of Amazon's tools:
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT_URL_S3 for other vendors.
 */
export async function openPlace(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Place> {
  // An unset variable, for example: without a name, the folder would be the working directory.
  if (!name) throw new Error('the place of the backup has no name');
  if (!name.startsWith(S3)) return folderPlace(name);
  const [bucket = '', ...prefix] = name.slice(S3.length).split('/').filter(Boolean);
  if (!bucket) throw new Error(`${name} names no bucket`);
  // Few backups go to S3, and its client is large.
  const { openBucket } = await import('./s3-place.ts');
  return openBucket({ bucket, prefix: prefix.join('/') }, env);
}

/** A folder whose files only their owner can read. */
function folderPlace(folder: string): Place {
  return {
    name: folder,
    async list() {
      const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return found
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    },
    async write(path, content) {
      const file = join(folder, path);
      await makeFolder(dirname(file));
      await pipeline(content, createWriteStream(file, { mode: 0o600 }));
    },
    read: async (path) => createReadStream(join(folder, path)),
    async remove(paths) {
      for (const path of paths) await rm(join(folder, path), { force: true });
    },
    at: (below) => folderPlace(join(folder, below)),
  };
}
