import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread whose module lies beside the caller's: `name` with the extension of `caller`, .ts or .js. */
export function startThread(name: string, caller: string, options: WorkerOptions = {}): Worker {
  const isSource = caller.endsWith('.ts');
  const conditions = isSource ? ['--conditions=x-source'] : [];
  return new Worker(new URL(`${name}${isSource ? '.ts' : '.js'}`, caller), {
    ...options,
    execArgv: [...conditions, '--disable-warning=ExperimentalWarning'],
  });
}
