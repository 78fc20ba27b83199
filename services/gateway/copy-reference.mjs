import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The script is copied beside the compiled files, because its package is large and not in the image.
const script = fileURLToPath(import.meta.resolve('@scalar/api-reference')).replace(/\/dist\/.*$/, '');
copyFileSync(
  `${script}/dist/browser/standalone.js`,
  fileURLToPath(new URL('dist/src/docs/reference.js', import.meta.url)),
);
