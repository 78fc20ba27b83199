import { createShares } from './fair-share.ts';

interface Sender {
  workspaceId: string;
}

/** Places for attempts on their way: all workspaces share those of the process, a workspace's endpoints those it may have. */
export interface Places<S extends Sender> {
  /** Whether there is one for another attempt of this sender now. */
  isFree(sender: S): boolean;
  take(sender: S): void;
  /** Gives one back, and lets those in line proceed for whom there is a place now. */
  give(sender: S): void;
  /** Puts a sender in line, once. */
  queue(sender: S): void;
}

export function createPlaces<S extends Sender>(
  limits: { total: number; perWorkspace: number },
  proceed: (sender: S) => void,
): Places<S> {
  const shares = createShares<S>(limits);
  /** By workspace, and in it by endpoint: who had a turn goes to the end. */
  const line = new Map<string, Set<S>>();

  const isFree = (sender: S) => shares.room(sender) > 0;

  function serve(workspaceId: string, senders: Set<S>): void {
    line.delete(workspaceId);
    line.set(workspaceId, senders);
    for (const sender of [...senders]) {
      if (!isFree(sender)) continue;
      senders.delete(sender);
      proceed(sender);
    }
    if (senders.size === 0) line.delete(workspaceId);
  }

  return {
    isFree,
    take: (sender) => shares.take(sender, 1),
    give(sender) {
      shares.give(sender, 1);
      for (const [id, senders] of [...line]) if (shares.workspaceRoom(id) > 0) serve(id, senders);
    },
    queue(sender) {
      const senders = line.get(sender.workspaceId) ?? new Set();
      line.set(sender.workspaceId, senders.add(sender));
    },
  };
}
