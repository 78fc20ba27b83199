import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, statfs } from 'node:fs/promises';

/** A file system of its own (ext4 in a file), whose power can fail and which can be filled. */
export interface Disk {
  /** Loses everything that was not synced. Until `remount`, all input and output fails. */
  cutPower(): void;
  /** Mounts the disk again, as after a power cut. No process may use it. */
  remount(): void;
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Writes everything, so that a power cut does not lose it. */
  sync(): void;
  /** Unmounts and deletes the disk. */
  remove(): Promise<void>;
}

const SIZE = '6G';
/** The call with which xfstests simulates a power cut: shut the file system down without writing its log. */
const SHUT_DOWN =
  'open(F, "<", $ARGV[0]) or die; my $how = pack("I", 2); ioctl(F, 0x8004587d, $how) or die $!';
const CLEAN_UP = 'cat; umount --lazy "$1"; rm -f "$2"';

const run = (command: string, ...args: string[]) => void execFileSync(command, args, { stdio: 'pipe' });

/** Creates a disk and mounts it at `path`. @throws Error where that needs permissions that are missing. */
export async function createDisk(path: string): Promise<Disk> {
  const [image, ballast] = [`${path}.ext4`, `${path}/ballast`];
  await mkdir(path, { recursive: true });
  run('truncate', '--size', SIZE, image);
  run('mkfs.ext4', '-q', '-m', '0', '-O', '^metadata_csum', image);
  const mount = () => run('mount', '-o', 'loop', image, path);
  mount();
  const cleaner = removeWithThisProcess(path, image);
  return {
    cutPower: () => run('perl', '-e', SHUT_DOWN, path),
    remount() {
      run('umount', path);
      mount();
    },
    async fill() {
      const { bavail, bsize } = await statfs(path);
      // Fails in the end, because the file system needs some of the space, and keeps what it has allocated.
      spawnSync('fallocate', ['--length', String(bavail * bsize), ballast]);
    },
    free: () => rm(ballast, { force: true }),
    sync: () => run('sync', '--file-system', path),
    async remove() {
      const removed = once(cleaner, 'exit');
      cleaner.stdin?.end();
      await removed;
    },
  };
}

/** A process that removes the disk when its input ends: on demand, or when this process ends in any way. */
function removeWithThisProcess(path: string, image: string): ChildProcess {
  return spawn('sh', ['-c', CLEAN_UP, 'sh', path, image], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
