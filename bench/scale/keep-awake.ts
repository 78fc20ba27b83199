import { cpus } from 'node:os';
import { startProcess } from '@waymark/local-stack';

/**
 * Keeps each processor busy at idle priority (SCHED_IDLE, Linux only), so that none sleeps between calls.
 * Where the kernel groups processes by session, compare processor time, not durations. Returns a function
 * that stops it.
 */
export async function keepAwake(): Promise<() => Promise<void>> {
  const loop = ['-i', '0', 'sh', '-c', 'while :; do :; done'];
  const spinners = await Promise.all(
    cpus().map((_, i) => startProcess({ name: `spinner ${i}`, command: 'chrt', args: loop })),
  );
  return async () => {
    await Promise.all(spinners.map((spinner) => spinner.stop()));
  };
}
