import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/**
 * The product's version, the same in every package: tests/version.test.ts holds all of them to the
 * repository's package.json.
 */
export const version: string = JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')).version;
