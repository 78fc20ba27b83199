import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import type { Condition } from '../graph/graph.ts';
import { JsonInput } from './json-input.tsx';
import { parseObject } from './json-object.ts';

/** Parses a condition; an empty text means none. */
export function conditionOf(text: string): { condition: Condition; problem: string | null } {
  if (text.trim() === '') return { condition: null, problem: null };
  const { value, problem } = parseObject(text);
  return { condition: value, problem };
}

export function ConditionInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <JsonInput
      label={t.condition}
      description={t.conditionHint}
      placeholder='{ "when": "approved" }'
      minRows={2}
      maxRows={12}
      value={value}
      error={conditionOf(value).problem}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
