import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Beside what is compiled: the package itself is large and stays out of the image.
const script = fileURLToPath(import.meta.resolve('@scalar/api-reference')).replace(/\/dist\/.*$/, '');
copyFileSync(
  `${script}/dist/browser/standalone.js`,
  fileURLToPath(new URL('dist/src/docs/reference.js', import.meta.url)),
);
