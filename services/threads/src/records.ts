import type { Message, Thread } from '@waymark/contracts';

/** A node that exists, or existed when it was last looked up. */
export interface NodeReference {
  id: string;
  workspace_id: string;
  version: number;
}

/** A node that is not known to be deleted. */
export interface LiveNode extends NodeReference {
  generation: number;
}

/** A post on a node locks one of the node's guards and a deletion locks all, which serializes the two. */
export interface NodeGuard {
  id: string;
  workspace_id: string;
  revision: number;
  /** The version of the last deletion; 0 for none. */
  deleted_version: number;
}

export interface ThreadRecord extends Thread {
  /** The version of its node's last deletion when the thread began: a restored node gets a new thread. */
  generation: number;
}

export interface MessageRecord extends Message {
  workspace_id: string;
  version: number;
}

export const threadView = ({ generation: _, ...visible }: ThreadRecord): Thread => visible;
export const messageView = ({ workspace_id: _, version: __, ...visible }: MessageRecord): Message => visible;
