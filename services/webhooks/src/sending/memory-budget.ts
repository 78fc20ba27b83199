import { createShares, type Sharer } from './fair-share.ts';

/** Memory for payloads, waiting or on their way: fair shares of it for workspaces and lanes, counted in characters. */
export interface PayloadRoom<S extends Sharer> {
  /** How much more a lane may have; none at 0 or less. The last payload may be larger than that, if it `fits`. */
  room(lane: S): number;
  fits(lane: S, characters: number): boolean;
  /** Takes what claimed payloads may come to: so many that they are `enough`, and not more than `most`. */
  reserve(lane: S): { enough: number; most: number; giveBack(): void };
  take(lane: S, characters: number): void;
  give(lane: S, characters: number): void;
}

const MEBI = 1024 * 1024;
/** Of this, whoever is busy has much. */
const SHARED = { total: 64 * MEBI, perWorkspace: 32 * MEBI };
/** The rest is for lanes that have little yet. All of it is five eighths of a pod's memory, should characters take two bytes. */
const IN_ALL = { total: 160 * MEBI, perWorkspace: 80 * MEBI };
/** What is little: enough for a lane's width of usual payloads. */
const OWN = MEBI / 8;
/** Twice what the data of an event may be; anything larger waits for shared room. */
const LARGE_PAYLOAD = MEBI / 2;

export function createPayloadRoom<S extends Sharer>(): PayloadRoom<S> {
  const shared = createShares<S>(SHARED);
  const inAll = createShares<S>(IN_ALL);

  const room = (lane: S) => Math.min(inAll.room(lane), Math.max(shared.room(lane), OWN - shared.taken(lane)));
  const most = (lane: S) => Math.min(inAll.room(lane), room(lane) + LARGE_PAYLOAD);

  function take(lane: S, characters: number): void {
    shared.take(lane, characters);
    inAll.take(lane, characters);
  }
  const give = (lane: S, characters: number) => take(lane, -characters);

  return {
    room,
    fits: (lane, characters) => room(lane) > 0 && characters <= most(lane),
    reserve(lane) {
      const reserved = { enough: room(lane), most: most(lane) };
      take(lane, reserved.most);
      return { ...reserved, giveBack: () => give(lane, reserved.most) };
    },
    take,
    give,
  };
}
