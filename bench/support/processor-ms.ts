import { readFile } from 'node:fs/promises';

const MS_PER_TICK = 10;

/**
 * Returns the processor time of a process and its children, including ended ones, in milliseconds. Unlike a
 * duration, it does not depend on other load. Zero if the process has ended or there is no /proc.
 */
export async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return 0;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, usersOfEnded = 0, systemsOfEnded = 0] = fields.slice(11, 15).map(Number);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const ofChildren = children.split(' ').filter(Boolean).map(Number);
  const own = (user + system + usersOfEnded + systemsOfEnded) * MS_PER_TICK;
  return own + (await processorMsOfAll(ofChildren));
}

export async function processorMsOfAll(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(pids.map(processorMs));
  return times.reduce((sum, ms) => sum + ms, 0);
}
