import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The product's version, which is the same in every package (tests/version.test.ts). */
export const version: string = JSON.parse(readFileSync(findPackageJSON(import.meta.url)!, 'utf8')).version;
