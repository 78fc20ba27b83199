import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread with a module `name` relative to `caller`, whose extension it has: .ts or .js. */
export function startThread(name: string, caller: string, options: WorkerOptions = {}): Worker {
  const isSource = caller.endsWith('.ts');
  const conditions = isSource ? ['--conditions=x-source'] : [];
  return new Worker(new URL(`${name}${isSource ? '.ts' : '.js'}`, caller), {
    ...options,
    execArgv: [...conditions, '--disable-warning=ExperimentalWarning'],
  });
}
