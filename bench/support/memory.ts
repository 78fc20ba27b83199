import { readFileSync } from 'node:fs';

/** The memory of a process in MiB. `pss`: memory shared with other processes counts in parts. */
export function memoryOf(pid: number): { rss: number; pss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mebibytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1_024;
  return { rss: mebibytes('Rss'), pss: mebibytes('Pss') };
}
