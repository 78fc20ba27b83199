import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';

const KEPT_BYTES = 64 * 1024;

/**
 * The output of a child. Pass `stdio` to spawn and call `attach` with the child; `text` returns the latest 64
 * KiB.
 */
export type ProcessOutput = {
  stdio(): number | 'pipe';
  attach(child: ChildProcess): void;
  text(): string;
};

/** Returns an output that the child itself writes to a file, so that a busy parent never blocks the child. */
export function fileOutput(path: string): ProcessOutput {
  let startedAt = 0;
  let descriptor = -1;
  return {
    stdio() {
      mkdirSync(dirname(path), { recursive: true });
      descriptor = openSync(path, 'a');
      startedAt = fstatSync(descriptor).size;
      return descriptor;
    },
    attach: () => closeSync(descriptor),
    text() {
      const file = openSync(path, 'r');
      try {
        const { size } = fstatSync(file);
        const from = Math.max(startedAt, size - KEPT_BYTES);
        const bytes = Buffer.alloc(Math.max(0, size - from));
        readSync(file, bytes, 0, bytes.length, from);
        return bytes.toString();
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Returns an output in memory, for children without a log file. */
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
          kept = (kept + text).slice(-KEPT_BYTES);
        });
      }
    },
    text: () => kept,
  };
}
