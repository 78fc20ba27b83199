import { Button, CloseButton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { decisionFiltersTexts as t } from '../../texts/decision-filters.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import type { DecisionFilters } from './decision-filters.ts';
import './filter-chips.css';

type Filters = Omit<DecisionFilters, 'sort'>;

/** The filters that are set, in words, each with a button that removes it. */
export default function FilterChips(props: {
  filters: Filters;
  /** The name of the author, as far as it is known. */
  author: string | undefined;
  remove: (name: string) => void;
  clear: () => void;
  /** Takes the focus when the last chip is gone. */
  focusList: () => void;
}) {
  const { filters, author, remove, clear, focusList } = props;
  const removeChip = (name: string) => (event: MouseEvent) => {
    const chip = event.currentTarget.closest('li')!;
    const next = chip.nextElementSibling ?? chip.previousElementSibling;
    if (next) next.querySelector('button')!.focus();
    else focusList();
    remove(name);
  };
  return (
    <div className="filter-chips">
      <ul aria-label={t.chips}>
        {inWords(filters, author).map(([name, text]) => (
          <li key={name}>
            <span title={text}>{text}</span>
            <CloseButton
              size={24}
              iconSize={14}
              aria-label={t.removeFilter(text)}
              onClick={removeChip(name)}
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

function inWords(filters: Filters, author: string | undefined): [name: string, text: string][] {
  const { text, status, outcome, tag, type, overdue } = filters;
  const chips: [keyof Filters, string, string | undefined][] = [
    ['text', t.titleContains, text],
    ['status', t.status, status && words.status[status]],
    ['outcome', t.outcome, outcome && words.outcome[outcome]],
    ['tag', t.tag, tag],
    ['type', t.type, type],
    ['author', t.author, filters.author && (author ?? '…')],
  ];
  return [
    ...chips.flatMap(([name, field, value]): [string, string][] =>
      value ? [[name, t.chip(field, value)]] : [],
    ),
    ...(overdue ? [['overdue', t.overdue] as [string, string]] : []),
  ];
}
