import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { StoreName } from '../src/acquire/binaries.ts';
import { acquireBinary } from '../src/index.ts';

/** Creates a folder that is removed after the test file. The returned function creates folders inside it. */
export function temporaryFolders(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-local-stack-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => {
    const made = join(folder, name);
    mkdirSync(made, { recursive: true });
    return made;
  };
}

/** Acquires the server of a store as the product does. */
export const acquire = (name: StoreName) => acquireBinary(name, () => undefined);
