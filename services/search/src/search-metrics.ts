import type { Metrics } from '@waymark/service-kit/process';
import type { AnswerSource } from './context.ts';
import type { LocalIndexes } from './index/local-indexes.ts';

/** Adds metrics of answers by source and of the size of the indexes. */
export function searchMetrics({ counter, watched }: Metrics, indexes: Pick<LocalIndexes, 'count' | 'bytes'>) {
  const answers = counter(
    'waymark_search_answers_total',
    'Searches by source of the answer: the local index, a scan while there is no index, or none in time',
    'source',
  );
  watched('waymark_search_indexes', 'Workspaces with an index in this process')(indexes.count);
  watched('waymark_search_index_bytes', 'Size of the indexes of this process')(indexes.bytes);
  return { countAnswer: (source: AnswerSource) => answers.inc({ source }) };
}
