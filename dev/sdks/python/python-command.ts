import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPython, installRequirements } from '../../../libs/local-stack/src/acquire/pip.ts';
import type { Log } from '../../../libs/local-stack/src/process/run-command.ts';

export interface PythonCommand {
  command: string;
  env: Record<string, string>;
}

/** Fetches the packages in requirements.txt of the SDK in `folder`. Returns how to run Python with both. */
export async function acquirePython(folder: string, log: Log): Promise<PythonCommand> {
  const requirements = await readFile(join(folder, 'requirements.txt'), 'utf8');
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const packages = await installRequirements(`sdk-${digest}`, requirements, log);
  const env = { PYTHONPATH: `${packages}:${join(folder, 'src')}`, PYTHONDONTWRITEBYTECODE: '1' };
  return { command: await findPython(log), env };
}
