import { mkdirSync, readFileSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;
const BEAT_MS = 1_000;
const SILENT_MS = 30_000;

/**
 * Does `work` while no other process does, by a lock file that says whose it is and is touched each second:
 * an id alone says little, since the processes of the next container have the same ones. `onWait` is called
 * once when somebody else is at it.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait]
 * @returns {Promise<T>}
 */
export async function oneAtATime(file, work, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waits = false; !claim(file); waits = true) {
    if (!waits) onWait?.();
    await delay(POLL_MS);
  }
  const beat = setInterval(() => utimes(file, new Date(), new Date(), () => undefined), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    // An empty file was created a moment ago.
    const holder = readFileSync(file, 'utf8');
    const isSilent = Date.now() - statSync(file).mtimeMs > SILENT_MS;
    if (isSilent || (holder !== '' && hasEnded(Number(holder)))) rmSync(file, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return false;
}

/** @param {number} pid */
function hasEnded(pid) {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'EPERM';
  }
}

/** @param {any} error */
const codeOf = (error) => error?.code;
