import { Button, CloseButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { dayInWords } from '../../ui/text/day.ts';
import type { Outcome, Status } from '../decision-words.ts';
import { DAYS, type DecisionFilters, listOf } from '../views/decision-filters.ts';
import './filter-chips.css';

type Filters = Omit<DecisionFilters, 'sort' | 'board'>;
type Author = { id: string; name: string };

/** The filters that are set, in words, each with a button that removes it. */
export default function FilterChips(props: {
  filters: Filters;
  /** The authors whose names are known. */
  authors: Author[] | undefined;
  change: (change: Record<string, unknown>) => void;
  clear: () => void;
  /** Takes the focus when the last chip is gone. */
  focusList: () => void;
}) {
  const { filters, authors = [], change, clear, focusList } = props;
  const removeChip = (without: Record<string, unknown>) => (event: MouseEvent) => {
    const chip = event.currentTarget.closest('li')!;
    const next = chip.nextElementSibling ?? chip.previousElementSibling;
    if (next) next.querySelector('button')!.focus();
    else focusList();
    change(without);
  };
  return (
    <div className="filter-chips">
      <ul aria-label={t.chips}>
        {inWords(filters, authors).map(([text, without]) => (
          <li key={text}>
            <span title={text}>{text}</span>
            <CloseButton
              size={24}
              iconSize={14}
              aria-label={t.removeFilter(text)}
              onClick={removeChip(without)}
            />
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        size="compact-sm"
        color="var(--mantine-color-text)"
        onClick={() => {
          focusList();
          clear();
        }}
      >
        {t.clearAll}
      </Button>
    </div>
  );
}

/** Each chip with the change that removes it. */
function inWords(filters: Filters, authors: Author[]): [text: string, change: Record<string, unknown>][] {
  const chips = (name: keyof Filters, field: string, word = (value: string) => value) => {
    const values = listOf<string>(filters[name] as string | string[] | undefined);
    return values.map((value): [string, Record<string, unknown>] => [
      t.chip(field, word(value)),
      { [name]: values.filter((other) => other !== value) },
    ]);
  };
  return [
    ...chips('text', t.titleContains),
    ...chips('status', t.status, (value) => words.status[value as Status]),
    ...chips('outcome', t.outcome, (value) => words.outcome[value as Outcome]),
    ...chips('tag', t.tag),
    ...chips('type', t.type),
    ...chips('author', t.author, (value) => authors.find(({ id }) => id === value)?.name ?? '…'),
    ...DAYS.flatMap((day) => chips(day, t.days[day], dayInWords)),
    ...(filters.overdue ? [[t.overdue, { overdue: undefined }] as [string, Record<string, unknown>]] : []),
  ];
}
