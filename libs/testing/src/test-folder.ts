import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** Creates a folder, which is removed after the last hook of the test file. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-test-'));
  folders.push(folder);
  return folder;
}

/** Removes the folders of a test file; `run-test-file.ts` calls it. */
export function removeTestFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
