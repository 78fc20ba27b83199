import type { CursorCodec } from '@waymark/contracts';
import type { WorkspaceScans } from '@waymark/service-kit/http';
import type { WorkspacePurge } from '@waymark/service-kit/store';
import type { LocalIndexes } from './index/local-indexes.ts';
import type { RevisionCache } from './revision-cache.ts';
import type { SearchStore } from './store/index.ts';

/** The source of a result: this replica's index, a scan of the projection, or neither in time. */
export type AnswerSource = 'index' | 'scan' | 'none';

/** The dependencies of a search. */
export interface SearchContext {
  store: Pick<SearchStore, 'scan' | 'end' | 'titles'>;
  workspaces: Pick<WorkspacePurge, 'purge'>;
  revisions: Pick<RevisionCache, 'get'>;
  indexes: Pick<LocalIndexes, 'find' | 'isTooLarge'>;
  scan: WorkspaceScans;
  /** The most that a search scans, including its wait. */
  scanTimeoutMs: number;
  cursors: CursorCodec;
  countAnswer: (source: AnswerSource) => void;
}
