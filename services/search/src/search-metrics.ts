import type { Metrics } from '@waymark/service-kit/process';
import { Counter, Gauge } from 'prom-client';
import type { AnswerSource } from './context.ts';
import type { LocalIndexes } from './index/local-indexes.ts';

/** Adds metrics of answers by source and of the size of the indexes. */
export function searchMetrics({ registry }: Metrics, indexes: Pick<LocalIndexes, 'count' | 'bytes'>) {
  const registers = [registry];
  const answers = new Counter<'source'>({
    name: 'waymark_search_answers_total',
    help: 'Searches by source of the answer: the local index, a scan while there is no index, or none in time',
    labelNames: ['source'],
    registers,
  });
  new Gauge({
    name: 'waymark_search_indexes',
    help: 'Workspaces with an index in this process',
    registers,
    collect() {
      this.set(indexes.count());
    },
  });
  new Gauge({
    name: 'waymark_search_index_bytes',
    help: 'Size of the indexes of this process',
    registers,
    collect() {
      this.set(indexes.bytes());
    },
  });
  return { countAnswer: (source: AnswerSource) => answers.inc({ source }) };
}
