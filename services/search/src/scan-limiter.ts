import { OutOfTime, type TimeLeftMs } from './store/items.ts';

export interface ScanTurns {
  /** Runs a scan of a workspace as soon as there is room for it. Throws OutOfTime when there was none in time, and what the scan throws. */
  run<T>(workspaceId: string, scan: (timeLeftMs: TimeLeftMs) => Promise<T>): Promise<T>;
}

/** A quarter of the connections to MongoDB. */
const AT_ONCE = 16;
const AT_ONCE_OF_WORKSPACE = 2;

/**
 * Scans read a workspace's projection through: they may take long, and MongoDB works on them for as long. So each has an end, few
 * of a workspace run at once, and those that wait take turns by workspace: a large one takes neither room nor time of others.
 */
export function scanTurns(options: {
  /** Of a scan, with the wait for its turn. */
  timeMs: number;
  atOnce?: number;
  atOnceOfWorkspace?: number;
}): ScanTurns {
  const { timeMs, atOnce = AT_ONCE, atOnceOfWorkspace = AT_ONCE_OF_WORKSPACE } = options;
  const running = new Map<string, number>();
  let runningOfAll = 0;
  /** By workspace, in the order of their turns. */
  const waiting = new Map<string, Set<() => void>>();

  const hasRoom = (workspaceId: string) =>
    runningOfAll < atOnce && (running.get(workspaceId) ?? 0) < atOnceOfWorkspace;

  function take(workspaceId: string): void {
    runningOfAll += 1;
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
  }

  function give(workspaceId: string): void {
    runningOfAll -= 1;
    const left = running.get(workspaceId)! - 1;
    if (left > 0) running.set(workspaceId, left);
    else running.delete(workspaceId);
    for (const [next, turns] of waiting) {
      if (!hasRoom(next)) continue;
      const [begin] = turns;
      forget(next, turns, begin!);
      if (turns.size > 0) {
        // Behind the other workspaces.
        waiting.delete(next);
        waiting.set(next, turns);
      }
      begin!();
      return;
    }
  }

  function forget(workspaceId: string, turns: Set<() => void>, begin: () => void): void {
    turns.delete(begin);
    if (turns.size === 0) waiting.delete(workspaceId);
  }

  async function turn(workspaceId: string): Promise<void> {
    if (hasRoom(workspaceId)) return take(workspaceId);
    const turns = waiting.get(workspaceId) ?? new Set();
    waiting.set(workspaceId, turns);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        forget(workspaceId, turns, begin);
        reject(new OutOfTime('no turn in time'));
      }, timeMs);
      const begin = () => {
        clearTimeout(timer);
        take(workspaceId);
        resolve();
      };
      turns.add(begin);
    });
  }

  return {
    async run(workspaceId, scan) {
      const untilMs = performance.now() + timeMs;
      await turn(workspaceId);
      try {
        return await scan(() => {
          const leftMs = Math.ceil(untilMs - performance.now());
          if (leftMs <= 0) throw new OutOfTime('the scan took too long');
          return leftMs;
        });
      } finally {
        give(workspaceId);
      }
    },
  };
}
