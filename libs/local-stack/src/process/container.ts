import { createHash } from 'node:crypto';
import type { ContainerRuntimeClient } from 'testcontainers';
import { isRunning } from './is-running.ts';
import {
  endsProcess,
  LAST_LINES,
  type ManagedProcess,
  PortTaken,
  STOP_TIMEOUT_MS,
} from './managed-process.ts';
import type { Log } from './run-command.ts';
import { type ProcessExit, ProcessFailed, untilReady } from './until-ready.ts';

export type ContainerImage = { engine: ContainerRuntimeClient; image: string; command: string };

type ContainerOptions = ContainerImage & {
  name: string;
  args: readonly string[];
  dataDir: string;
  port: number;
  isReady: () => Promise<boolean>;
  log?: Log | undefined;
};
type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

/** The label with the id of the process that started a container. */
const STARTER = 'waymark.starter';

/**
 * Returns the Docker (or Podman) engine of this machine. Undefined without one, and for an engine on another
 * machine or, seen from inside a container, on the host: its ports and folders differ.
 */
export async function findContainerEngine(): Promise<ContainerRuntimeClient | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const engine = await getContainerRuntimeClient().catch(() => undefined);
  return engine?.info.containerRuntime.host === 'localhost' ? engine : undefined;
}

/** Downloads the image unless the engine has it. */
export async function pullImage({ engine, image }: ContainerImage): Promise<void> {
  const { ImageName } = await import('testcontainers');
  await engine.image.pull(ImageName.fromString(image));
}

/**
 * Runs a store's server in a container as this user. Port and data folder are the same inside and outside: a
 * replica set must reach itself by the name that its clients use. Removes a container of an earlier start.
 * @throws Error when the store there belongs to a start that still runs.
 */
export async function startContainer(options: ContainerOptions): Promise<ManagedProcess> {
  const { engine, name } = options;
  const containerName = `waymark-${name}-${createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12)}`;
  const remove = () => engine.container.getById(containerName).remove({ force: true }).catch(ignoringEnded);
  const start = async () => {
    await remove();
    return launch(await createContainer(options, containerName), options);
  };
  await assertIsAbandoned(engine.container.getById(containerName), options);
  let current = await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    name,
    get pid() {
      return current.pid;
    },
    get exited() {
      return current.exited;
    },
    lastLines: () => lastLines(current.container),
    async stop(timeoutMs = STOP_TIMEOUT_MS) {
      await current.container.stop({ t: Math.ceil(timeoutMs / 1_000) }).catch(ignoringEnded);
      const exit = await current.exited;
      await remove();
      return exit;
    },
    async kill(signal = 'SIGKILL') {
      await current.container.kill({ signal }).catch(ignoringEnded);
      if (endsProcess(signal)) await current.exited;
    },
    async restart() {
      await current.container.stop().catch(ignoringEnded);
      await current.exited;
      current = await start();
    },
  };
}

/** Makes the check of `claimDataDirectory` for containers. */
async function assertIsAbandoned(container: Container, { name, dataDir }: ContainerOptions): Promise<void> {
  const found = await container.inspect().catch(ignoringEnded);
  const starter = Number(found?.Config.Labels[STARTER]);
  if (found?.State.Running && starter !== process.pid && isRunning(starter))
    throw new Error(`${name}: ${dataDir} is in use by process ${starter}; stop that first`);
}

async function createContainer(options: ContainerOptions, name: string): Promise<Container> {
  const { engine, image, command, args, dataDir, port } = options;
  const { SecurityOptions } = await engine.container.dockerode.info();
  // In a rootless engine, the container's root is this user.
  const rootless = (SecurityOptions as string[] | undefined)?.some((option) => option.includes('rootless'));
  return engine.container.dockerode.createContainer({
    name,
    Image: image,
    Entrypoint: [command],
    Cmd: [...args],
    Labels: { [STARTER]: String(process.pid) },
    Tty: true,
    User: rootless ? '0:0' : `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
    ExposedPorts: { [`${port}/tcp`]: {} },
    HostConfig: {
      Binds: [`${dataDir}:${dataDir}:z`],
      PortBindings: { [`${port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
    },
  });
}

async function launch(container: Container, { name, port, isReady, log }: ContainerOptions) {
  await container.start().catch((error: Error) => {
    if (/port is already allocated|address already in use/i.test(error.message))
      throw new PortTaken(name, port);
    throw new ProcessFailed(`${name}: ${error.message}`, '');
  });
  const exited: Promise<ProcessExit> = container
    .wait()
    .then(({ StatusCode }: { StatusCode: number }) => ({ code: StatusCode, signal: null }));
  exited.catch(() => undefined);
  await untilReady({
    name,
    log,
    isReady,
    exited,
    lastLines: () => lastLines(container),
    end: () => container.kill(),
  });
  const { State } = await container.inspect();
  return { container, pid: State.Pid, exited };
}

async function lastLines(container: Container): Promise<string> {
  const output = await container.logs({ stdout: true, stderr: true, follow: false, tail: LAST_LINES });
  return output.toString().trimEnd();
}

/** Ignores the engine's errors for a container that is already stopped or removed. */
function ignoringEnded(error: Error & { statusCode?: number }): void {
  if (![304, 404, 409].includes(error.statusCode ?? 0)) throw error;
}
