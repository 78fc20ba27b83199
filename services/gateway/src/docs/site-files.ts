import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assets } from './site-map.ts';

/** In an image, the folder beside the program; else the repository. */
const bundled = fileURLToPath(new URL('site', import.meta.url));
const isBundled = existsSync(bundled);
const root = isBundled ? bundled : join(dirname(findPackageJSON(import.meta.url) ?? ''), '../..');

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns a file of the site's own, for example `docs.css`; null where it is not installed. */
export function readAsset(name: string): Buffer | null {
  const source = Object.hasOwn(assets, name) ? assets[name] : undefined;
  const path = source && join(root, isBundled ? name : source);
  return path && existsSync(path) ? readFileSync(path) : null;
}
