import { type EventEnvelope, newId } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import { makeTexts, type Texts } from '../support/texts.ts';

export const ITEM_CHARACTERS = 250;
export const TITLE_CHARACTERS = 50;

/** The decisions of the searched workspace, one millisecond apart. */
export interface SearchItems {
  corpus: Texts;
  ids: readonly string[];
  texts: readonly string[];
  startMs: number;
}

export function searchItems(count: number): SearchItems {
  const corpus = makeTexts(1);
  return {
    corpus,
    ids: Array.from({ length: count }, () => newId()),
    texts: Array.from({ length: count }, () => corpus.text(ITEM_CHARACTERS)),
    startMs: Date.now() - count,
  };
}

export function eventOf(workspace: string, id: string, text: string, createdMs: number): EventEnvelope {
  const at = new Date(createdMs).toISOString();
  const data = sampleDecision({
    id,
    workspace_id: workspace,
    title: text.slice(0, TITLE_CHARACTERS),
    description: text.slice(TITLE_CHARACTERS),
    created_at: at,
  });
  const actor = { type: 'api_key' as const, id: newId(), name: 'bench', key_prefix: 'wmk_bench0' };
  const envelope = {
    id: newId(),
    type: 'decision.created' as const,
    version: 1 as const,
    time: at,
    actor,
    data,
  };
  const subject = { type: 'decision', id, version: 1 };
  const origin = { action: null, request_id: null, ip: null, user_agent: null, changes: null };
  return { ...envelope, workspace_id: workspace, subject, ...origin };
}
