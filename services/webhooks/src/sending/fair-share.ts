export interface Sharer {
  workspaceId: string;
}

/** What all workspaces of a process share, and the endpoints of a workspace in its part of it. */
export interface Shares<S extends Sharer> {
  /** How much more this one may have now; none at 0 or less. */
  room(sharer: S): number;
  /** How much more a workspace may have, whichever of its endpoints gets it. */
  workspaceRoom(workspaceId: string): number;
  taken(sharer: S): number;
  take(sharer: S, amount: number): void;
  give(sharer: S, amount: number): void;
}

/**
 * What makes it half of what is left after that. So one alone gets much, many have equal shares after a moment, and however
 * long they keep them there is something left for who comes next.
 */
const fairRoom = (taken: number, left: number) => Math.ceil((left - taken * 2) / 3);

export function createShares<S extends Sharer>(limits: { total: number; perWorkspace: number }): Shares<S> {
  const bySharer = new Map<S, number>();
  const byWorkspace = new Map<string, number>();
  let takenInAll = 0;

  const taken = (sharer: S) => bySharer.get(sharer) ?? 0;
  const ofWorkspace = (workspaceId: string) => byWorkspace.get(workspaceId) ?? 0;
  const workspaceRoom = (workspaceId: string) =>
    fairRoom(ofWorkspace(workspaceId), limits.total - takenInAll);

  function add<K>(counts: Map<K, number>, key: K, amount: number): void {
    const left = (counts.get(key) ?? 0) + amount;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  }

  function take(sharer: S, amount: number): void {
    takenInAll += amount;
    add(byWorkspace, sharer.workspaceId, amount);
    add(bySharer, sharer, amount);
  }

  return {
    room: (sharer) =>
      Math.min(
        workspaceRoom(sharer.workspaceId),
        fairRoom(taken(sharer), limits.perWorkspace - ofWorkspace(sharer.workspaceId)),
      ),
    workspaceRoom,
    taken,
    take,
    give: (sharer, amount) => take(sharer, -amount),
  };
}
