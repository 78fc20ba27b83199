import { Group, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { searchTexts as t } from '../texts/search.ts';
import { Highlighted } from './highlighted.tsx';
import type { Highlight, SearchHit } from './search-hit.ts';
import { SearchOption } from './search-option.tsx';

/** A search result. */
export function HitOption(props: {
  id: string;
  icon: LucideIcon;
  hit: SearchHit;
  isActive: boolean;
  onOpen: () => void;
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
      </Group>
      {found && (
        <Text size="sm" c="dimmed" ms={28}>
          {nameOf(found.first)}: {found.first.excerpt_start > 0 && '… '}
          <Highlighted text={found.first.excerpt} ranges={found.ranges} offset={found.first.excerpt_start} />
        </Text>
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

/** Names `options_considered.0.title` "options considered". */
function nameOf({ field }: Highlight): string {
  const name = field.split('.')[0]!;
  return t.fields[name as keyof typeof t.fields] ?? name;
}
