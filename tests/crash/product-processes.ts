import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NewWorkspace, newWorkspace } from '../../dev/new-workspace.ts';
import {
  startTemporaryProduct,
  type TemporaryOptions,
  type TemporaryProduct,
} from '../../dev/temporary-product.ts';

/** The product as real processes, with a workspace and a key, for tests that kill. Its directory is also where crash points are armed. */
export type ProductProcesses = TemporaryProduct & NewWorkspace;

export async function startProductProcesses(options: TemporaryOptions = {}): Promise<ProductProcesses> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-crash-'));
  const product = await startTemporaryProduct({
    only: ['accounts', 'decisions', 'audit'],
    ...options,
    directory,
    env: { LIMIT_SCALE: '100000', CRASH_DIRECTORY: directory, DEFAULT_PLAN: 'enterprise', ...options.env },
  });
  return {
    ...product,
    ...(await newWorkspace(product.services.baseUrl, 'crash')),
    async stop() {
      await product.stop();
      if (process.env['CRASH_KEEP']) console.log(`data and logs are in ${directory}`);
      else await rm(directory, { recursive: true, force: true });
    },
  };
}
