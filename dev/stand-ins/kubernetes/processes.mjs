import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs a program and returns its output. Rejects with its standard error. */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error)
        reject(new Error(`${args.slice(0, 3).join(' ')}: ${stderr.trim().slice(-1_500) || error.message}`));
      else resolve(stdout);
    });
  });
}

/** Starts a long-running program with its output in a file. */
export function start(command, args, logFile) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const exited = new Promise((resolve) => child.once('close', resolve));
  return {
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM');
      await Promise.race([exited, delay(5_000).then(() => child.kill('SIGKILL'))]);
    },
  };
}

/**
 * Calls `check` until it does not throw. Throws its last error when the time is over or `gaveUp` returns
 * true.
 */
export async function until(check, { limitMs, gaveUp = () => false }) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline || gaveUp()) throw error;
      await delay(250);
    }
  }
}

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
