import { type ChildProcess, spawn } from 'node:child_process';
import { endWithParent } from './end-with-parent.ts';
import { canListen } from './free-port.ts';
import { fileOutput, memoryOutput, type ProcessOutput } from './process-output.ts';
import type { Log } from './run-command.ts';
import { type ProcessExit, untilReady } from './until-ready.ts';

export type ProcessOptions = {
  /** Names the process in errors. */
  name: string;
  command: string;
  args: readonly string[];
  /** Added to this process's environment; `undefined` removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Output is appended to this file. Without it, the latest is kept in memory. */
  logFile?: string;
  /** The port of 127.0.0.1 that must be free before the start; defaults to that of `readyUrl`. */
  port?: number;
  /** The process is ready when all given conditions hold: a GET answers 200, */
  readyUrl?: string;
  /** its output contains this, */
  readyLine?: string;
  /** and this resolves to true. */
  isReady?: () => Promise<boolean>;
  /** Receives a line every ten seconds until the process is ready. */
  log?: Log | undefined;
  /** Names what is not ready yet, for these lines. Default: `name`. */
  waitingFor?: (() => Promise<string>) | undefined;
  /** How long the process may print nothing before it is ready; default 180,000. */
  stalledMs?: number;
};

/** Thrown when another program listens on the port of a process. */
export class PortTaken extends Error {
  constructor(name: string, port: number) {
    super(`${name}: port ${port} of 127.0.0.1 is taken`);
    this.name = 'PortTaken';
  }
}

/** A running child. `pid` and `exited` belong to the latest start; read them again after restart(). */
export type ManagedProcess = {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Returns the latest 20 lines of output, joined by newlines. */
  lastLines(): Promise<string>;
  /** Sends SIGTERM, then SIGKILL after `timeoutMs` (default 10,000). Resolves with the exit. */
  stop(timeoutMs?: number): Promise<ProcessExit>;
  /** Sends the signal (default SIGKILL). Waits for the exit if the signal ends a process. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Stops the process if it runs, starts it again with `env` added, and waits until it is ready. */
  restart(env?: Readonly<Record<string, string | undefined>>): Promise<void>;
};

export const STOP_TIMEOUT_MS = 10_000;
export const LAST_LINES = 20;
const LAST_OUTPUT_MS = 200;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/**
 * Runs a command as a child in its own process group: Ctrl-C reaches only this process, which decides the
 * order of stopping. The child ends with this process, on Linux even after SIGKILL.
 * @throws PortTaken when another program listens on its port.
 * @throws ProcessFailed with the last lines of output when it exits or stalls before it is ready.
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const output = options.logFile === undefined ? memoryOutput() : fileOutput(options.logFile);
  let given = options;
  let current = await launch(given, output);
  return {
    name: options.name,
    get pid() {
      return current.pid;
    },
    get exited() {
      return current.exited;
    },
    lastLines: async () => lastLines(output),
    stop: (timeoutMs = STOP_TIMEOUT_MS) => current.stop(timeoutMs),
    async kill(signal = 'SIGKILL') {
      current.child.kill(signal);
      if (endsProcess(signal)) await current.exited;
    },
    async restart(env) {
      given = { ...given, env: { ...given.env, ...env } };
      await current.stop(STOP_TIMEOUT_MS);
      current = await launch(given, output);
    },
  };
}

export const endsProcess = (signal: NodeJS.Signals) => signal !== 'SIGSTOP' && signal !== 'SIGCONT';

async function launch(options: ProcessOptions, output: ProcessOutput) {
  const port = options.port ?? Number(options.readyUrl && new URL(options.readyUrl).port);
  if (port > 0 && !(await canListen(port))) throw new PortTaken(options.name, port);
  const { command, args } = endWithParent(options.command, options.args);
  const stdio = output.stdio();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: ['ignore', stdio, stdio],
  });
  output.attach(child);
  running.add(child);
  let notStarted = '';
  const exited = new Promise<ProcessExit>((resolve) => {
    // 'close' comes after the last output, or never when a grandchild holds the pipe.
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), LAST_OUTPUT_MS).unref());
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      notStarted = error.message;
      resolve({ code: 127, signal: null });
    });
  }).finally(() => running.delete(child));
  const stop = async (timeoutMs: number) => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    return await exited.finally(() => clearTimeout(late));
  };
  await untilReady({
    name: options.name,
    log: options.log,
    waitingFor: options.waitingFor,
    stalledMs: options.stalledMs,
    isReady: () => isReady(options, output),
    exited,
    lastLines: async () => notStarted || lastLines(output),
    end: () => stop(0),
  });
  return { child, pid: child.pid ?? 0, exited, stop };
}

async function isReady(options: ProcessOptions, output: ProcessOutput): Promise<boolean> {
  if (options.readyLine !== undefined && !output.text().includes(options.readyLine)) return false;
  if (options.readyUrl !== undefined && !(await answersOk(options.readyUrl))) return false;
  return (await options.isReady?.()) ?? true;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function lastLines(output: ProcessOutput): string {
  return output.text().trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}
