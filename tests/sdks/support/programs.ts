import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { acquirePython } from '../../../dev/sdks/python/python-command.ts';
import { prepareGo } from './go-sdk.ts';
import type { SdkProgram } from './run-sdk.ts';

const root = findRepositoryRoot();

/** Prepares the program of each SDK: fetches what it needs, and builds it. */
export const sdkPrograms: Record<string, () => Promise<SdkProgram>> = {
  typescript: async () => ({
    command: process.execPath,
    args: ['--conditions=x-source', 'libs/client/test/scenario/run-scenario.ts'],
  }),
  python: () => pythonProgram([]),
  'python-async': () => pythonProgram(['--async']),
  go: prepareGo,
};

async function pythonProgram(args: string[]): Promise<SdkProgram> {
  const folder = join(root, 'sdks/python');
  const python = await acquirePython(folder, console.error);
  return { ...python, args: [join(folder, 'tests/run_scenario.py'), ...args] };
}
