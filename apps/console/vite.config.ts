import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './build/mantine-styles.ts';

/** Where `vite` alone finds the API of a running `npm start`. */
const API = process.env['WAYMARK_URL'] ?? 'http://localhost:8080';

export default defineConfig({
  plugins: [react(), mantineStyles()],
  resolve: { conditions: ['x-source', 'module', 'browser', 'development|production'] },
  // The gateway puts a fresh nonce in the place of this word with each page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // tests/first-load.test.ts adds up by it what a page brings along.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    // The API refuses changes that come from pages of another origin.
    proxy: { '/v1': { target: API, headers: { origin: API } }, '/docs': API },
  },
});
