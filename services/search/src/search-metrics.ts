import type { Metrics } from '@waymark/service-kit/process';
import { Counter, Gauge } from 'prom-client';
import type { LocalIndexes } from './index/local-indexes.ts';
import type { AnswerSource } from './search.ts';

/** Adds to the service's metrics how searches are answered and what the indexes take. */
export function searchMetrics({ registry }: Metrics, indexes: Pick<LocalIndexes, 'count' | 'bytes'>) {
  const registers = [registry];
  const answers = new Counter<'source'>({
    name: 'waymark_search_answers_total',
    help: 'Searches, by where they were answered: the local index, a scan while there is none, or none in time',
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
    help: 'What the indexes of this process take',
    registers,
    collect() {
      this.set(indexes.bytes());
    },
  });
  return { answered: (source: AnswerSource) => answers.inc({ source }) };
}
