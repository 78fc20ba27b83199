import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ContainerImage, startContainer } from '../process/container.ts';
import { claimDataDirectory, recordOwner } from '../process/data-directory.ts';
import { freePort } from '../process/free-port.ts';
import { type ManagedProcess, PortTaken, startProcess } from '../process/managed-process.ts';
import type { Log } from '../process/run-command.ts';
import { ProcessFailed } from '../process/until-ready.ts';

/** A store that this process started. Its data, its port and its URL stay the same after a restart. */
export type StoreProcess = ManagedProcess & {
  /** The URL for clients. */
  readonly url: string;
  readonly port: number;
  /** Reports whether the store has an error from which only a restart recovers. */
  isStuck(): Promise<boolean>;
};

export type StoreOptions = {
  /** Path of the server's binary, or a container engine with the image that has it. */
  binary: string | ContainerImage;
  /** The folder of its data and log; created if missing. */
  dataDir: string;
  /** Defaults to a free port. */
  port?: number | undefined;
  /** Further arguments of the server. */
  args?: readonly string[];
  /** Added to the environment of a server that is not in a container. */
  env?: Readonly<Record<string, string>>;
  /** Receives a line every ten seconds until the store is ready. */
  log?: Log | undefined;
};

type StoreDefinition = {
  name: string;
  /** Returns the arguments for a port; `host` is the address to listen on. */
  args: (at: { port: number; host: string; dataDir: string }) => readonly string[];
  isReady: (port: number) => Promise<boolean>;
  isStuck?: () => Promise<boolean>;
  /** Makes the store usable once it answers. */
  prepare?: (port: number) => Promise<void>;
  url: (port: number) => string;
};

const PORT_ATTEMPTS = 5;

/** Starts one store in its folder: ends what a killed start left there, and waits until it is usable. */
export async function startStore(store: StoreDefinition, options: StoreOptions): Promise<StoreProcess> {
  const dataDir = resolve(options.dataDir);
  await claimDataDirectory(store.name, dataDir);
  rmSync(logFile(dataDir), { force: true });
  const { managed, port } = await startOnPort(store, { ...options, dataDir });
  const usable = async () => {
    if (typeof options.binary === 'string') recordOwner(dataDir, managed.pid, options.binary);
    const ended = managed.exited.then(async () => {
      throw new ProcessFailed(`${store.name} ended while it was being set up`, await managed.lastLines());
    });
    ended.catch(() => undefined);
    await Promise.race([store.prepare?.(port), ended]);
  };
  await usable().catch(async (error: unknown) => {
    await managed.stop();
    throw error;
  });
  const { restart } = managed;
  return Object.assign(managed, {
    url: store.url(port),
    port,
    isStuck: async () => (await store.isStuck?.()) ?? false,
    async restart() {
      await restart();
      await usable();
    },
  });
}

async function startOnPort(store: StoreDefinition, options: StoreOptions) {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    try {
      return { managed: await launch(store, options, port), port };
    } catch (error) {
      if (options.port !== undefined || attempt === PORT_ATTEMPTS || !lostRace(error)) throw error;
    }
  }
}

/** Reports whether another program took the free port first. */
function lostRace(error: unknown): boolean {
  return (
    error instanceof PortTaken ||
    (error instanceof ProcessFailed && /address already in use/i.test(error.output))
  );
}

async function launch(store: StoreDefinition, options: StoreOptions, port: number): Promise<ManagedProcess> {
  const { binary, dataDir, env = {}, log } = options;
  const isReady = () => store.isReady(port);
  const host = typeof binary === 'string' ? '127.0.0.1' : '0.0.0.0';
  const args = [...store.args({ port, host, dataDir }), ...(options.args ?? [])];
  if (typeof binary !== 'string')
    return startContainer({ ...binary, name: store.name, args, dataDir, port, isReady, log });
  return startProcess({
    name: store.name,
    command: binary,
    args,
    env,
    logFile: logFile(dataDir),
    port,
    isReady,
    log,
  });
}

const logFile = (dataDir: string) => join(dataDir, 'server.log');
