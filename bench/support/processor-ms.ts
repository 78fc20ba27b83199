import { readFile } from 'node:fs/promises';

const MS_PER_TICK = 10;

/**
 * Returns the processor time of a process and its children, including ended ones, in milliseconds.
 * Undefined if the process has ended or there is no /proc.
 */
export async function processorMs(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, usersOfEnded = 0, systemsOfEnded = 0] = fields.slice(11, 15).map(Number);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const ofChildren = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => processorMs(Number(child))),
  );
  const own = (user + system + usersOfEnded + systemsOfEnded) * MS_PER_TICK;
  return ofChildren.reduce<number>((sum, ms) => sum + (ms ?? 0), own);
}
