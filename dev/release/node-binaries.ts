import { readFile } from 'node:fs/promises';
import type { Wheel } from '../../libs/local-stack/src/acquire/binaries.ts';
import { fetchFromWheel } from '../../libs/local-stack/src/acquire/fetch-binary.ts';
import type { Log } from '../../libs/local-stack/src/process/run-command.ts';

/** Playwright's wheels contain the Node.js of its publisher (docs/decisions/0038-executables.md). */
const playwright = { package: 'playwright', version: '1.64.0', megabytes: 48 };

/** Platforms of the single executable. */
export const nodeWheels = {
  'linux-x64': {
    ...playwright,
    platform: 'manylinux1_x86_64',
    sha256: '5a59af1b230b234008524a5d42b613b233d4256f73bc1dd25bf3f11db0c81b75',
  },
  'linux-arm64': {
    ...playwright,
    platform: 'manylinux2014_aarch64',
    sha256: '727d20be6a0884e946b2471774dd960ec95519ba533e61329038526d9aea9a23',
  },
  'win32-x64': {
    ...playwright,
    platform: 'win_amd64',
    sha256: '2c14d105548876b15bea5e7eca77bf0d8ff4ba0c607c1ae931067f3d1b010369',
  },
  'darwin-x64': {
    ...playwright,
    platform: 'macosx_10_13_x86_64',
    sha256: 'd76a501c9930b5a097b00e2448cda2200122a1e8e4be762ff535c1b076277737',
  },
  'darwin-arm64': {
    ...playwright,
    platform: 'macosx_11_0_arm64',
    sha256: '8de42430e9a7c8b04ec963856d484d36ffd452882318ebad2df3e6fb49a8197a',
  },
} satisfies Record<string, Wheel>;

export type Platform = keyof typeof nodeWheels;
export const platforms = Object.keys(nodeWheels) as Platform[];

/**
 * Fetches the Node.js of a platform into `folder`, and returns its path. Its licence is beside it.
 * @throws Error when the wheel is not the pinned one, or its Node.js is not the version that runs.
 */
export async function fetchNode(platform: Platform, folder: string, log: Log): Promise<string> {
  const wheel = nodeWheels[platform];
  log(`${platform}: fetching Node.js (${wheel.megabytes} MB)`);
  const program = platform.startsWith('win32') ? 'node.exe' : 'node';
  const node = await fetchFromWheel(wheel, program, folder, log);
  if (!(await readFile(node)).includes(`node-${process.version}`)) {
    throw new Error(
      `the Node.js for ${platform} is not ${process.version}, which runs: see dev/release/node-binaries.ts`,
    );
  }
  return node;
}
