import type { Message, Thread } from '@waymark/contracts';

/** Who is spoken of: a node that exists, or existed when it was last looked up. */
export interface NodeReference {
  id: string;
  workspace_id: string;
  version: number;
}

/**
 * What happens on a node takes one of these, of which each node has several, and its deletion takes all: so it comes before or after.
 * A node that was deleted may be put back under its id: the version of its last deletion, 0 for none, tells the threads of one
 * life from those of the next.
 */
export interface NodeGuard {
  id: string;
  workspace_id: string;
  revision: number;
  deleted_version: number;
}

export interface ThreadRecord extends Thread {
  /** The version of its node's last deletion when it was begun, whether that had been heard of or not. */
  generation: number;
}

export interface MessageRecord extends Message {
  workspace_id: string;
  version: number;
}

export function threadView({ generation: _, ...visible }: ThreadRecord): Thread {
  return visible;
}

export function messageView({ workspace_id: _, version: __, ...visible }: MessageRecord): Message {
  return visible;
}
