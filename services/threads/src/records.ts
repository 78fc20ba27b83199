import type { Message, Thread } from '@waymark/contracts';

/** A node that exists, or existed when it was last looked up. */
export interface NodeReference {
  id: string;
  workspace_id: string;
  version: number;
}

/**
 * A post on a node locks one of the node's guards and a deletion locks all, which serializes the two. The
 * version of the last deletion, 0 for none, distinguishes the threads of a restored node from those before
 * the deletion.
 */
export interface NodeGuard {
  id: string;
  workspace_id: string;
  revision: number;
  deleted_version: number;
}

export interface ThreadRecord extends Thread {
  /**
   * The version of its node's last deletion when the thread began, even if that event had not arrived yet.
   */
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
