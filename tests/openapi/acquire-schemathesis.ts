import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPython, installRequirements } from '../../libs/local-stack/src/acquire/pip.ts';
import { type Log, runCommand } from '../../libs/local-stack/src/process/run-command.ts';

const LEAST_PYTHON = '3.11';

/**
 * Returns the path of Schemathesis and its environment, after fetching it into .waymark/python.
 * @throws Error with one line when Python is missing or too old, or the package index cannot be reached.
 */
export async function acquireSchemathesis(log: Log) {
  const python = await findPython(log);
  const isRecent = `import sys; print(sys.version_info >= (${LEAST_PYTHON.replace('.', ', ')}))`;
  if ((await runCommand(python, ['-c', isRecent])).trim() !== 'True') {
    throw new Error(`Schemathesis needs Python ${LEAST_PYTHON} or newer: install it as python3, with pip`);
  }
  const requirements = await readFile(join(import.meta.dirname, 'requirements.txt'), 'utf8');
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const folder = await installRequirements(`schemathesis-${digest}`, requirements, log);
  return { command: join(folder, 'bin', 'schemathesis'), env: { PYTHONPATH: folder } };
}
