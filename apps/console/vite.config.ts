import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedCopies } from './build/compressed-copies.ts';
import { mantineStyles } from './build/mantine-styles.ts';

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
    test: /app\/shell|list\/decision-list-page|workspace\/(use-draft|recent-items)|text\/markdown|create-safe-context|icons\/pencil/,
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
