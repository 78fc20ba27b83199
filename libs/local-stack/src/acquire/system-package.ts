import { type Log, runCommand } from '../process/run-command.ts';

const QUIET = { DEBIAN_FRONTEND: 'noninteractive' };
const OPTIONS = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];

const installations = new Map<string, Promise<void>>();
let latest: Promise<void> = Promise.resolve();

/**
 * Installs a package of Debian or Ubuntu, as root or with a sudo that asks for no password. Installs each
 * once, one after the other, because apt-get does not run concurrently.
 * @throws Error without such a system or permission, or when the installation fails.
 */
export function installSystemPackage(name: string, log: Log): Promise<void> {
  let installation = installations.get(name);
  if (installation === undefined) {
    installation = latest.then(() => install(name, log));
    installations.set(name, installation);
    latest = installation.catch(() => undefined);
  }
  return installation;
}

async function install(name: string, log: Log): Promise<void> {
  const asRoot = await rootPrefix();
  if (asRoot === undefined) throw new Error(`the system package ${name} cannot be installed from here`);
  log(`installing on this system: apt-get install ${name}`);
  const aptGet = (...args: string[]) => {
    const [command, ...rest] = [...asRoot, 'apt-get', ...args];
    return runCommand(command!, rest, QUIET);
  };
  const installNow = () => aptGet('install', ...OPTIONS, name);
  // The package lists of a new machine or image are empty or old.
  await installNow().catch(async () => {
    await aptGet('update', '-q');
    await installNow();
  });
}

async function rootPrefix(): Promise<readonly string[] | undefined> {
  const works = (command: string, ...args: string[]) => runCommand(command, args).then(Boolean, () => false);
  if (!(await works('apt-get', '--version'))) return undefined;
  if (process.getuid?.() === 0) return [];
  return (await works('sudo', '-n', 'apt-get', '--version')) ? ['sudo', '-n'] : undefined;
}
