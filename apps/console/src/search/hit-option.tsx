import { Group, Kbd, Mark, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, Fragment } from 'react';
import { wordsTexts } from '../texts/words.ts';
import { Hint } from '../ui/text/hint.ts';
import type { Highlight, SearchHit } from './search-hit.ts';
import { SearchOption } from './search-option.tsx';

/** A search result. */
export function HitOption(props: {
  id: string;
  icon: LucideIcon;
  hit: SearchHit;
  isActive: boolean;
  onOpen: ComponentProps<typeof SearchOption>['onChoose'];
}) {
  const { id, icon: Icon, hit, isActive, onOpen } = props;
  const found = excerptOf(hit.highlights);
  return (
    <SearchOption id={id} isActive={isActive} onChoose={onOpen}>
      <Group wrap="nowrap" gap="sm">
        <Icon size={16} aria-hidden />
        <Text size="sm" fw={500} flex={1}>
          <Highlighted text={hit.title} ranges={hit.highlights.filter(({ field }) => field === 'title')} />
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {hit.about}
        </Text>
        {hit.keys?.map((key) => (
          <Kbd key={key} size="xs">
            {key}
          </Kbd>
        ))}
      </Group>
      {found && (
        <Hint ms={28}>
          {wordsTexts.field(found.first.field.split('.')[0]!)}: {found.first.excerpt_start > 0 && '… '}
          <Highlighted text={found.first.excerpt} ranges={found.ranges} offset={found.first.excerpt_start} />
        </Hint>
      )}
    </SearchOption>
  );
}

/** The first match outside the title, with all matches of its excerpt. */
function excerptOf(highlights: Highlight[]) {
  const first = highlights.find(({ field }) => field !== 'title');
  if (!first) return null;
  const end = first.excerpt_start + first.excerpt.length;
  const isShown = (other: Highlight) =>
    other.field === first.field &&
    other.message_id === first.message_id &&
    other.start < end &&
    other.end > first.excerpt_start;
  return { first, ranges: highlights.filter(isShown) };
}

/** A range of a text in UTF-16 code units, the end exclusive. */
interface Range {
  start: number;
  end: number;
}

/** A text with marked matches. `offset` is its start within the text that the ranges refer to. */
function Highlighted(props: { text: string; ranges: Range[]; offset?: number }) {
  const { text, ranges, offset = 0 } = props;
  return partsOf(text, ranges, offset).map(({ at, part, isFound }) =>
    isFound ? <Mark key={at}>{part}</Mark> : <Fragment key={at}>{part}</Fragment>,
  );
}

function partsOf(text: string, ranges: Range[], offset: number) {
  const parts: { at: number; part: string; isFound: boolean }[] = [];
  let at = 0;
  const take = (end: number, isFound: boolean) => {
    if (end > at) parts.push({ at, part: text.slice(at, end), isFound });
    at = Math.max(at, end);
  };
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    take(Math.min(start - offset, text.length), false);
    take(Math.min(end - offset, text.length), true);
  }
  take(text.length, false);
  return parts;
}
