import type { StorePortion } from '@waymark/data-transfer';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { LiveTopics } from './live-topics.ts';
import type { MentionedIn } from './mentions.ts';
import type { ImportStore } from './store/imports.ts';
import type { Store } from './store/index.ts';

export interface ThreadsContext extends Pick<ServiceRuntime, 'commit' | 'database' | 'now' | 'workspaces'> {
  store: Store;
  imports: ImportStore;
  topics: LiveTopics;
  mentionedIn: MentionedIn;
  storePortion: StorePortion;
}
