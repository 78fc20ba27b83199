import { createReadStream, createWriteStream, globSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createGzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes each file with a hash in its name a second time, compressed by Brotli, and a third time by gzip. */
export function compressedCopies(): Plugin {
  return {
    name: 'compressed-copies',
    apply: 'build',
    async writeBundle({ dir }) {
      const files = globSync('assets/*.{js,css,svg}', { cwd: dir! }).map((file) => `${dir}/${file}`);
      await Promise.all(
        files.flatMap((file) => [
          pipeline(createReadStream(file), createBrotliCompress(), createWriteStream(`${file}.br`)),
          pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`)),
        ]),
      );
    },
  };
}
