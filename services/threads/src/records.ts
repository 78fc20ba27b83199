import type { Message, Thread } from '@waymark/contracts';

/** The kinds of records that have threads. */
export type TopicKind = 'node' | 'decision';

/** The record that a thread is about: a node or a decision. */
export interface Topic {
  kind: TopicKind;
  id: string;
}

/** A topic that exists, or existed when it was last looked up. */
export interface TopicReference extends Topic {
  workspace_id: string;
  version: number;
}

/** A topic that is not known to be deleted. */
export interface LiveTopic extends TopicReference {
  generation: number;
}

export interface DeletedTopic extends Topic {
  /** The version of the deletion. */
  version: number;
}

/** A post on a topic locks one of its guards and a deletion locks all, which serializes the two. */
export interface TopicGuard {
  id: string;
  workspace_id: string;
  revision: number;
  /** The version of the last deletion; 0 for none. */
  deleted_version: number;
}

export interface ThreadRecord extends Thread {
  /** The version of its topic's last deletion when the thread began: a restored topic gets a new thread. */
  generation: number;
}

export interface MessageRecord extends Message {
  workspace_id: string;
  version: number;
}

type OfTopic = Pick<Thread, 'node_id' | 'decision_id'>;

/** The fields by which threads and messages name their topic. */
export const topicFields = ({ kind, id }: Topic): OfTopic => ({
  node_id: kind === 'node' ? id : null,
  decision_id: kind === 'decision' ? id : null,
});

export const topicOf = ({ node_id, decision_id }: OfTopic): Topic =>
  node_id === null ? { kind: 'decision', id: decision_id! } : { kind: 'node', id: node_id };

export const threadView = ({ generation: _, ...visible }: ThreadRecord): Thread => visible;
export const messageView = ({ workspace_id: _, version: __, ...visible }: MessageRecord): Message => visible;
