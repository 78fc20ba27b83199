import type { Message, Thread } from '@waymark/contracts';
import { eventBatches, type ImportPortion, type StorePortion } from '@waymark/service-kit';
import type { ImportStore } from './store/imports.ts';

/** Stores what an import brings, as it was: ids, authors and times stay. */
export function threadImports(store: ImportStore, storePortion: StorePortion) {
  return {
    threads: (portion: ImportPortion & { threads: Thread[] }) =>
      storePortion(portion, (tx) => store.insertThreads(portion.workspace_id, portion.threads, tx.session)),

    messages: (portion: ImportPortion & { messages: Message[] }) =>
      storePortion(portion, async (tx) => {
        const { workspace_id } = portion;
        const fresh = await store.insertMessages(workspace_id, portion.messages, tx.session);
        for (const messages of eventBatches(fresh)) {
          const subject = { type: 'workspace', id: workspace_id, version: 1 };
          tx.emit('messages.imported', { subject, data: { messages }, action: null });
        }
        return fresh.length;
      }),
  };
}
