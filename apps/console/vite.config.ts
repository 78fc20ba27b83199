import { createReadStream, createWriteStream, existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createGzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The API of a running `npm start`, for `vite` in development. */
const API = process.env['WAYMARK_URL'] ?? 'http://localhost:8080';

/**
 * A chunk for each route whose first load has a budget (tests/e2e/first-load.test.ts), with all that the
 * route imports and no chunk before it has. Without these, a list needs 50 files.
 */
const chunks = [
  { name: 'main', tags: ['$initial' as const] },
  {
    name: 'list',
    // With small files that later chunks share.
    test: /app\/shell|list\/decision-list-page|workspace\/(use-draft|recent-items)|inbox\/watch-select|text\/(?:markdown|mentions)|list\/scroll-to|create-safe-context|icons\/pencil/,
  },
  { name: 'decision', test: /page\/decision-page/ },
  {
    name: 'pickers',
    test: /components\/(Badge|Menu|Select|Switch|Tooltip)\/|lucide-react|src\/(texts\/nodes|ui\/avatar)/,
    minShareCount: 2,
  },
  { name: 'canvas', test: /workflows\/workflow-page/ },
  { name: 'german', test: /texts\/de\// },
];

export default defineConfig({
  plugins: [react(), mantineStyles(), compressedCopies()],
  resolve: { conditions: ['x-source', 'module', 'browser', 'development|production'] },
  // The gateway replaces this word with a fresh nonce in each page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  server: {
    // The API refuses changes from pages of another origin.
    proxy: { '/v1': { target: API, headers: { origin: API } }, '/docs': API },
  },
});

/** Writes each file with a hash in its name a second time, compressed by Brotli, and a third time by gzip. */
function compressedCopies(): Plugin {
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

const COMPONENT = /@mantine\/core\/esm\/(?:components|utils)\/(?:.*\/)?(\w+)\.mjs$/;

/**
 * Imports the style sheet of each Mantine component with the component, so that a page loads only the
 * styles it uses. All of them together would be a sixth of the budget of the first load.
 */
function mantineStyles(): Plugin {
  const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/global.css'));
  return {
    name: 'mantine-styles',
    transform(code, id) {
      const name = COMPONENT.exec(id)?.[1];
      if (!name || !existsSync(join(styles, `${name}.css`))) return null;
      return { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null };
    },
  };
}
