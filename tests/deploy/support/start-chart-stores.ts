import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { acquireBinary, freePort, type ManagedProcess, startProcess } from '@waymark/local-stack';
import { MongoClient } from 'mongodb';
import { type Manifest, render } from './render-chart.ts';

const programs = {
  mongodb: ['mongo', 'mongod'],
  redis: ['redis', 'redis-server'],
  nats: ['nats', 'nats-server'],
};
type Store = keyof typeof programs;

export interface ChartStores {
  /** The decoded Secret of the release; its URLs lead to the stores on this machine. */
  secrets: Record<string, string>;
  stop(): Promise<void>;
}

/** Runs the stores that the chart renders for `values`, with the commands and secrets of their containers. */
export async function startChartStores(values: string, folder: string): Promise<ChartStores> {
  const manifests = await render(values);
  const { data } = manifests.find(({ kind }) => kind === 'Secret')!;
  const secrets: Record<string, string> = Object.fromEntries(
    Object.entries<string>(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]),
  );
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const started: ManagedProcess[] = [];
  for (const store of Object.keys(programs) as Store[]) {
    const [name, command] = programs[store] as ['mongo' | 'redis' | 'nats', string];
    const binary = await acquireBinary(name, console.error);
    if (typeof binary !== 'string')
      throw new Error(`the stores of the chart need ${command} on this machine`);
    symlinkSync(binary, join(bin, command));
    const port = await freePort();
    started.push(await startStore({ store, manifests, secrets, folder: join(folder, store), bin, port }));
    const urls = Object.keys(secrets).filter((each) => each.endsWith(`${store.toUpperCase()}_URL`));
    for (const url of urls) secrets[url] = secrets[url]!.replace(/@[^/]+/, `@127.0.0.1:${port}`);
  }
  return {
    secrets,
    stop: async () => {
      await Promise.all(started.map((each) => each.stop()));
    },
  };
}

async function startStore(options: {
  store: Store;
  manifests: Manifest[];
  secrets: Record<string, string>;
  folder: string;
  bin: string;
  port: number;
}): Promise<ManagedProcess> {
  const { store, manifests, secrets, folder, bin, port } = options;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  const named = (kind: string) =>
    manifests.find((each) => each.kind === kind && each.metadata.name === `waymark-${store}`);
  const [container] = named('StatefulSet')!.spec.template.spec.containers;
  const env: Record<string, string> = Object.fromEntries(
    container.env.map((each: { name: string; valueFrom: { secretKeyRef: { key: string } } }) => [
      each.name,
      secrets[each.valueFrom.secretKeyRef.key]!,
    ]),
  );
  const file = named('ConfigMap')?.data[`${store}.conf`] as string | undefined;
  if (file) {
    const own = file.replace('/data', join(folder, 'data')).replace(':8222', `:${await freePort()}`);
    writeFileSync(join(folder, `${store}.conf`), own);
  }
  // The folder stands for the container's own file system, loopback for all of its addresses.
  const localized = [...(container.command ?? []), ...container.args].map((text: string) =>
    text
      .replaceAll('/tmp', folder)
      .replaceAll('/etc/waymark', folder)
      .replace('--bind_ip_all', '--bind_ip=127.0.0.1')
      .replace(/^\$\((\w+)\)$/, (_, name: string) => env[name]!),
  );
  const further: Record<Store, string[]> = {
    mongodb: ['--port', String(port), '--dbpath', folder, '--wiredTigerCacheSizeGB', '0.25'],
    redis: ['--port', String(port), '--bind', '127.0.0.1'],
    nats: ['--port', String(port), '--addr', '127.0.0.1'],
  };
  const args = [...localized, ...further[store]];
  // The image's entrypoint adds its program to options.
  const command = args[0]!.startsWith('-') ? programs[store][1]! : args.shift()!;
  const probe = store === 'mongodb' ? probeMongo(container.readinessProbe, port, env) : undefined;
  return startProcess({
    name: store,
    command,
    args,
    env: { ...env, PATH: [bin, process.env['PATH']].join(delimiter) },
    port,
    ...(probe ? { isReady: probe } : { isReady: () => answers(port) }),
    logFile: join(folder, 'server.log'),
  });
}

/** Returns the probe, which also sets the store up: the script of the container, run with the driver. */
function probeMongo(probe: { exec: { command: string[] } }, port: number, env: Record<string, string>) {
  const script = probe.exec.command
    .at(-1)!
    .replace(/host: '[^']+'/, `host: '127.0.0.1:${port}'`)
    // mongosh waits by itself.
    .replaceAll('db.adminCommand(', 'await db.adminCommand(');
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const run = AsyncFunction('db', 'process', 'quit', script);
  return async () => {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
    const db = { adminCommand: (command: object) => client.db('admin').command(command as { ping: 1 }) };
    try {
      const quit = (code: number) => {
        throw new Error(`exit code ${code}`);
      };
      await run(db, { env }, quit);
      return true;
    } catch {
      return false;
    } finally {
      await client.close();
    }
  };
}

/** Resolves to whether a process listens on a port of this machine. */
export const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
