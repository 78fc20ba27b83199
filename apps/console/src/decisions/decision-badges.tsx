import { CircleCheck, CircleDashed, CircleDot, CircleSlash, CircleX, type LucideIcon } from 'lucide-react';
import type { CSSProperties } from 'react';
import { wordsTexts as words } from '../texts/words.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { OUTCOME_COLORS, type Outcome, STATUS_COLORS, type Status, scaleColor } from './decision-words.ts';

const ICONS: Record<Outcome, LucideIcon> = {
  pending: CircleDashed,
  success: CircleCheck,
  partial: CircleDot,
  failure: CircleX,
  abandoned: CircleSlash,
};

export function DecisionStatus({ status }: { status: Status }) {
  return <StatusBadge color={STATUS_COLORS[status]}>{words.status[status]}</StatusBadge>;
}

export function DecisionOutcome({ outcome }: { outcome: Outcome }) {
  const Icon = ICONS[outcome];
  const style = { '--state': `var(--mantine-color-${OUTCOME_COLORS[outcome]}-text)` } as CSSProperties;
  return (
    <span className="outcome" style={style}>
      <Icon size={16} aria-hidden />
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
