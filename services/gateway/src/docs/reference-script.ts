import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Scalar's script: beside this file in a built gateway, else in its package; null without either. */
export function referenceScript(): Buffer | null {
  const manifest = findPackage('@scalar/api-reference');
  const candidates = [
    fileURLToPath(new URL('reference.js', import.meta.url)),
    ...(manifest ? [join(dirname(manifest), 'dist/browser/standalone.js')] : []),
  ];
  for (const file of candidates) {
    try {
      return readFileSync(file);
    } catch {
      // Try the next candidate.
    }
  }
  return null;
}

function findPackage(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url);
  } catch {
    return undefined;
  }
}
