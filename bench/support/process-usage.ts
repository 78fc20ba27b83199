import { readFile } from 'node:fs/promises';
import type { ServiceProcess } from '../../dev/services.ts';
import { processorMs } from './processor-ms.ts';

const SAMPLE_MS = 50;

/** From /proc: asking the process itself twenty times a second would cost its processor time. */
async function residentMiB({ process: { pid } }: ServiceProcess): Promise<number> {
  // A killed process has no file until it restarts.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
}

const cpuSeconds = async ({ process: { pid } }: ServiceProcess) => ((await processorMs(pid)) ?? 0) / 1_000;

/** Runs `work` and returns a line per process with its memory growth and processor time. */
export async function withUsage(
  processes: readonly ServiceProcess[],
  work: () => Promise<void>,
): Promise<string[]> {
  const cpuBefore = await Promise.all(processes.map(cpuSeconds));
  const before = await Promise.all(processes.map(residentMiB));
  const peaks = [...before];
  const sample = async () => {
    for (const [i, one] of processes.entries()) peaks[i] = Math.max(peaks[i]!, await residentMiB(one));
  };
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      await sample();
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await sampling;
  const cpuAfter = await Promise.all(processes.map(cpuSeconds));
  return processes.map(({ service }, i) => {
    const grown = `${before[i]!.toFixed(0)} MiB before, ${(peaks[i]! - before[i]!).toFixed(0)} more at most`;
    return `${service.padEnd(10)} ${grown}; ${(cpuAfter[i]! - cpuBefore[i]!).toFixed(1)} s of processor time`;
  });
}
