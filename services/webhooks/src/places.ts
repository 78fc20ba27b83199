interface Sender {
  workspaceId: string;
  /** Attempts on their way. */
  active: number;
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

/**
 * Nobody gets more than half as many as they leave free. So one alone is quick, many have equal shares after a moment, and
 * however long attempts hang there are places left for who comes next.
 */
const isFair = (taken: number, left: number) => taken * 2 < left;

export function createPlaces<S extends Sender>(
  limits: { total: number; perWorkspace: number },
  proceed: (sender: S) => void,
): Places<S> {
  const taken = new Map<string, number>();
  /** By workspace, and in it by endpoint: who had a turn goes to the end. */
  const line = new Map<string, Set<S>>();
  let takenInAll = 0;

  const ofWorkspace = (workspaceId: string) => taken.get(workspaceId) ?? 0;
  const mayHaveMore = (workspaceId: string) => isFair(ofWorkspace(workspaceId), limits.total - takenInAll);
  const isFree = ({ workspaceId, active }: Sender) =>
    mayHaveMore(workspaceId) && isFair(active, limits.perWorkspace - ofWorkspace(workspaceId));

  function add(workspaceId: string, n: 1 | -1): void {
    takenInAll += n;
    const left = ofWorkspace(workspaceId) + n;
    if (left > 0) taken.set(workspaceId, left);
    else taken.delete(workspaceId);
  }

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
    take: ({ workspaceId }) => add(workspaceId, 1),
    give({ workspaceId }) {
      add(workspaceId, -1);
      for (const [id, senders] of [...line]) if (mayHaveMore(id)) serve(id, senders);
    },
    queue(sender) {
      const senders = line.get(sender.workspaceId) ?? new Set();
      line.set(sender.workspaceId, senders.add(sender));
    },
  };
}
