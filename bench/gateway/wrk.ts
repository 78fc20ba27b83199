import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { processorMs } from '../support/processor-ms.ts';

export interface Load {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** User and system time of the measured processes per request. */
  cpuMicroseconds: number;
  /** Responses other than 2xx and 3xx, and connections that failed or timed out. */
  failures: number;
}

/** Matches in wrk's output, which names only the kinds that occurred. */
const FAILURES = /(?:Non-2xx or 3xx responses:|connect|read|write|timeout) (\d+)/g;

function inMs(text: string): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}

async function wrk({ url, headers = {}, connections, seconds }: Load): Promise<string> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...given, url];
  return (await promisify(execFile)('wrk', args)).stdout;
}

/** Runs wrk against a URL and divides the CPU time of a process and its children by the requests. */
export async function measure(load: Load, pid: number): Promise<Figures> {
  const before = await processorMs(pid);
  const out = await wrk(load);
  const spentMs = (await processorMs(pid)) - before;
  const find = (pattern: RegExp) => out.match(pattern)?.[1] ?? '';
  const requests = Number(find(/(\d+) requests in/));
  return {
    requestsPerSecond: Number(find(/Requests\/sec:\s+([\d.]+)/)),
    p50Ms: inMs(find(/^\s+50%\s+(\S+)/m)),
    p99Ms: inMs(find(/^\s+99%\s+(\S+)/m)),
    cpuMicroseconds: (spentMs / requests) * 1_000,
    failures: [...out.matchAll(FAILURES)].reduce((sum, [, count]) => sum + Number(count), 0),
  };
}
