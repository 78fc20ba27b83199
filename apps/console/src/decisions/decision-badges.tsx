import { Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { decisionListTexts as t } from '../texts/decision-list.ts';
import { wordsTexts as words } from '../texts/words.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { OUTCOME_COLORS, type Outcome, STATUS_COLORS, type Status, scaleColor } from './decision-words.ts';

/** The content of the circle of an outcome. */
const SIGNS: Record<Outcome, string> = {
  pending: '',
  success: 'M8 12l3 3 5-6',
  partial: 'M8 12h8',
  failure: 'M9 9l6 6M15 9l-6 6',
  abandoned: 'M5 19L19 5',
};

export function DecisionStatus({ status }: { status: Status }) {
  return <StatusBadge color={STATUS_COLORS[status]}>{words.status[status]}</StatusBadge>;
}

export function DecisionOutcome({ outcome }: { outcome: Outcome }) {
  const style = { '--state': `var(--mantine-color-${OUTCOME_COLORS[outcome]}-text)` } as CSSProperties;
  return (
    <span className="outcome" style={style}>
      <svg viewBox="0 0 24 24" data-outcome={outcome} aria-hidden="true">
        <circle cx="12" cy="12" r="10" />
        <path d={SIGNS[outcome]} />
      </svg>
      <span>{words.outcome[outcome]}</span>
    </span>
  );
}

/** The quality score, in the colour of its band. */
export function Score({ score }: { score: number }) {
  return (
    <span className="score" data-scale={scaleColor(score)}>
      {score}
    </span>
  );
}

export function OverdueMark() {
  return (
    <Text span size="sm" c="red" fw={600} style={{ whiteSpace: 'nowrap' }}>
      {t.overdue}
    </Text>
  );
}
