import { wordsTexts as words } from '../texts/words.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { OUTCOME_COLORS, type Outcome, STATUS_COLORS, type Status } from './decision-words.ts';

export function DecisionStatus({ status }: { status: Status }) {
  return <StatusBadge color={STATUS_COLORS[status]}>{words.status[status]}</StatusBadge>;
}

export function DecisionOutcome({ outcome }: { outcome: Outcome }) {
  return <StatusBadge color={OUTCOME_COLORS[outcome]}>{words.outcome[outcome]}</StatusBadge>;
}
