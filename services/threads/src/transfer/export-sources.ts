import type { ExportSource } from '@waymark/data-transfer';
import type { Stored } from '@waymark/service-kit/store';
import { type MessageRecord, messageView, type ThreadRecord, threadView } from '../records.ts';
import { messageOf, threadOf } from '../store/index.ts';

/** The collections of an export, each in the order of an index. */
export const exportSources = {
  threads: {
    collection: 'threads',
    sort: [['_id', 1]],
    rows: (document) => [threadView(threadOf(document as Stored<ThreadRecord>))],
  },
  messages: {
    collection: 'messages',
    sort: [
      ['thread_id', 1],
      ['created_at', 1],
      ['_id', 1],
    ],
    rows: (document) => [messageView(messageOf(document as Stored<MessageRecord>))],
  },
} satisfies Record<string, ExportSource>;
