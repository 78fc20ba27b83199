import { spawn } from 'node:child_process';
import { findRepositoryRoot } from '@waymark/local-stack';

/** How the program of an SDK is started. */
export interface SdkProgram {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface SdkRun {
  /** The steps that are not ok, with the reason. */
  failed: { step: string; error: string }[];
  steps: number;
  operations: string[];
  code: number | null;
  /** What it wrote to stderr. */
  stderr: string;
}

/** Runs a scenario with an SDK and returns what its program printed, as sdks/README.md describes it. */
export async function runSdk(program: SdkProgram, env: Record<string, string>): Promise<SdkRun> {
  const child = spawn(program.command, program.args, {
    cwd: findRepositoryRoot(),
    env: { ...process.env, ...program.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk) => (output[name] += chunk));
  }
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  const lines = output.stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const steps = lines.filter((line) => 'step' in line) as { step: string; ok: boolean; error: string }[];
  return {
    failed: steps.filter(({ ok }) => !ok).map(({ step, error }) => ({ step, error })),
    steps: steps.length,
    operations: lines.find((line) => 'operations' in line)?.operations ?? [],
    code,
    stderr: output.stderr,
  };
}
