import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bootScript } from './build/boot-script.ts';
import { chunks } from './build/chunks.ts';
import { compressedCopies } from './build/compressed-copies.ts';
import { mantineStyles } from './build/mantine-styles.ts';

/** The API of a running `npm start`, for `vite` in development. */
const API = process.env['WAYMARK_URL'] ?? 'http://localhost:8080';

export default defineConfig({
  plugins: [react(), mantineStyles(), bootScript(), compressedCopies()],
  resolve: {
    conditions: ['x-source', 'module', 'browser', 'development|production'],
    alias: [
      { find: /^react$/, replacement: fileURLToPath(new URL('build/react.ts', import.meta.url)) },
      { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
    ],
  },
  // The gateway replaces this word with a fresh nonce in each page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: { index: 'index.html', boot: 'src/boot.ts' },
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: {
    // The API refuses changes from pages of another origin.
    proxy: { '/v1': { target: API, headers: { origin: API } }, '/docs': API },
  },
});
