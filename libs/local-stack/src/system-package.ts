import type { Log } from './fetch-binary.ts';
import { runCommand } from './run-command.ts';

const QUIET = { DEBIAN_FRONTEND: 'noninteractive' };
const OPTIONS = ['-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];

/**
 * Installs packages of Debian or Ubuntu, as root or through a sudo that asks for no password.
 * @throws Error when there is no such system or right, or the installation fails.
 */
export async function installSystemPackages(packages: readonly string[], log: Log): Promise<void> {
  const asRoot = await rootPrefix();
  if (asRoot === undefined) throw new Error(`no right to install the system package ${packages.join(' ')}`);
  log(`installing on this system: apt-get install ${packages.join(' ')}`);
  const aptGet = (args: readonly string[]) => {
    const [command = 'apt-get', ...rest] = [...asRoot, 'apt-get', ...args];
    return runCommand(command, rest, QUIET);
  };
  const install = () => aptGet(['install', ...OPTIONS, ...packages]);
  // The package lists of a new machine or image are empty or old.
  await install().catch(async () => {
    await aptGet(['update', '-q']);
    await install();
  });
}

async function rootPrefix(): Promise<readonly string[] | undefined> {
  const works = (command: string, args: readonly string[]) =>
    runCommand(command, args).then(Boolean, () => false);
  if (!(await works('apt-get', ['--version']))) return undefined;
  if (process.getuid?.() === 0) return [];
  return (await works('sudo', ['-n', 'apt-get', '--version'])) ? ['sudo', '-n'] : undefined;
}
