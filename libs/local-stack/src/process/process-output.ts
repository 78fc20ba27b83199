import type { ChildProcess } from 'node:child_process';
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const KEPT_CHARACTERS = 64 * 1024;

/** The output of a child. Pass `stdio` to spawn, and call `attach` with the child. */
export type ProcessOutput = {
  stdio(): number | 'pipe';
  attach(child: ChildProcess): void;
  text(): string;
};

/** An output that the child itself writes to a file of its owner: a busy parent never blocks the child. */
export function fileOutput(path: string): ProcessOutput {
  let startedAt = 0;
  let descriptor = -1;
  return {
    stdio() {
      mkdirSync(dirname(path), { recursive: true });
      descriptor = openSync(path, 'a', 0o600);
      // A file of an earlier version.
      fchmodSync(descriptor, 0o600);
      startedAt = fstatSync(descriptor).size;
      return descriptor;
    },
    attach: () => closeSync(descriptor),
    text: () => readFileSync(path).subarray(startedAt).toString(),
  };
}

/** Returns an output that keeps the latest 64 Ki characters in memory, for children without a log file. */
export function memoryOutput(): ProcessOutput {
  let kept = '';
  return {
    stdio() {
      kept = '';
      return 'pipe';
    },
    attach(child) {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          kept = (kept + text).slice(-KEPT_CHARACTERS);
        });
      }
    },
    text: () => kept,
  };
}
