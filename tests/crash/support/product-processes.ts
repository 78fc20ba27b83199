import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@waymark/contracts';
import type { ManagedProcess } from '@waymark/local-stack';
import { type Answer, type CallInput, httpCall } from '@waymark/testing';
import { type NewWorkspace, newWorkspace } from '../../../dev/new-workspace.ts';
import type { ServiceProcess } from '../../../dev/services.ts';
import {
  startTemporaryProduct,
  type TemporaryOptions,
  type TemporaryProduct,
} from '../../../dev/temporary-product.ts';

/**
 * The product in real processes, with a workspace and a key, for tests that kill processes. Crash points are
 * armed in its directory.
 */
export interface ProductProcesses extends TemporaryProduct, NewWorkspace {
  /** Returns the process of a service that has a single replica. */
  processOf(service: ServiceName): ManagedProcess;
  /** Kills the process of a service with SIGKILL and restarts it. */
  kill(service: ServiceName): Promise<void>;
  killStore(store: 'mongo' | 'nats' | 'redis'): Promise<void>;
  /** Sends a request with the key. */
  call(method: string, path: string, input?: CallInput): Promise<Answer>;
}

export async function startProductProcesses(options: TemporaryOptions = {}): Promise<ProductProcesses> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-crash-'));
  const product = await startTemporaryProduct({
    only: ['accounts', 'decisions', 'audit'],
    ...options,
    directory,
    env: { LIMIT_SCALE: '100000', CRASH_DIRECTORY: directory, DEFAULT_PLAN: 'enterprise', ...options.env },
  });
  const { baseUrl, processes } = product.services;
  const workspace = await newWorkspace(baseUrl, 'crash');
  const processOf = (name: ServiceName) => processes.find(({ service }) => service === name)!.process;
  return {
    ...product,
    ...workspace,
    processOf,
    async kill(name) {
      await processOf(name).kill('SIGKILL');
      await processOf(name).restart();
    },
    async killStore(name) {
      await product.stores[name]!.kill('SIGKILL');
      await product.stores[name]!.restart();
    },
    call: (method, path, input) =>
      httpCall(baseUrl, method, path, { headers: { authorization: `Bearer ${workspace.key}` }, ...input }),
    async stop() {
      await product.stop();
      if (process.env['CRASH_KEEP']) console.log(`data and logs are in ${directory}`);
      else await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The first replica of every service, then the second of every service, so that one is always running. */
export function roundRobin({ services: { processes } }: ProductProcesses): ServiceProcess[] {
  const seen = new Set<string>();
  const first = processes.filter(({ service }) => !seen.has(service) && seen.add(service));
  return [...first, ...processes.filter((one) => !first.includes(one))];
}
