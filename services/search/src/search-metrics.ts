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
  const gauge = (name: string, help: string, value: () => number) => {
    const collect = function (this: Gauge) {
      this.set(value());
    };
    return new Gauge({ name, help, registers, collect });
  };
  gauge('waymark_search_indexes', 'Workspaces with an index in this process', indexes.count);
  gauge('waymark_search_index_bytes', 'Size of the indexes of this process', indexes.bytes);
  return { countAnswer: (source: AnswerSource) => answers.inc({ source }) };
}
