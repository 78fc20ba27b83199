import type { SdkProgram } from './run-sdk.ts';

/** Prepares the program of each SDK: fetches what it needs, and builds it. */
export const sdkPrograms: Record<string, () => Promise<SdkProgram>> = {
  typescript: async () => ({
    name: 'typescript',
    command: process.execPath,
    args: ['--conditions=x-source', 'libs/client/test/scenario/run-scenario.ts'],
  }),
};
