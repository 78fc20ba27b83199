import { spawn } from 'node:child_process';

/**
 * Runs a program to its end. Never rejects because of its exit code. Those in Go collect garbage rarely;
 * without collecting any, they would need more time for fresh memory.
 */
export function run(command: string, args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number | null; stdout: string; output: string }>((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, GOGC: '300', ...env } });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, output }));
  });
}
