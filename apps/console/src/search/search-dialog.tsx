import { Box, Group, Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { limits } from '@waymark/client/facts';
import {
  CircleDot,
  History,
  ListChecks,
  type LucideIcon,
  PanelTop,
  Search,
  UserRound,
  Workflow,
  Zap,
} from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { api } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { searchTexts as t } from '../texts/search.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { areOn } from '../ui/list/single-keys.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Hint } from '../ui/text/hint.ts';
import { recentItems, rememberItem } from '../workspace/recent-items.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { type Destination, destinationsFor, titleOf } from './destinations.ts';
import { HitOption } from './hit-option.tsx';
import { groupsOf, type HitGroup, type SearchHit } from './search-hit.ts';
import { SearchOption } from './search-option.tsx';
import { PAGE_KEYS, pageActions } from './shortcuts.ts';
import { isSimilar } from './similar.ts';
import { usePeople, useSimilarTitles } from './use-people.ts';
import './search.css';

const PAUSE_MS = 200;
const SHOWN_OF_A_GROUP = 8;
/** Hits are counted, and shown if wanted, up to this many. */
const COUNTED = 100;

const ICONS: Record<HitGroup['name'], LucideIcon> = {
  recent: History,
  here: Zap,
  actions: Zap,
  pages: PanelTop,
  people: UserRound,
  decisions: ListChecks,
  workflows: Workflow,
  nodes: CircleDot,
  similar: CircleDot,
};

/** The options for the arrow keys: the hits of a group, then "more". */
function choicesOf({ name, hits, hasMore }: HitGroup): { hit?: SearchHit; more?: HitGroup['name'] }[] {
  return [...hits.map((hit) => ({ hit })), ...(hasMore ? [{ more: name }] : [])];
}

interface SearchDialogProps {
  onClose: () => void;
  onHelp: () => void;
}

/** Finds pages, actions, people, decisions, workflows and nodes. Arrow keys select, Enter opens. */
export default function SearchDialog({ onClose, onHelp }: SearchDialogProps) {
  const { id: workspaceId, may } = useWorkspace();
  const router = useRouter();
  const listId = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const typed = text.trim();
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const isRecent = typed === '';
  const search = useHits(asked, SHOWN_OF_A_GROUP, asked !== '');
  const first = !isRecent && search.data ? groupsOf(workspaceId, search.data) : [];
  // Show only the results of the current input.
  const isSettled = isRecent || (asked === typed && !search.isFetching);
  const all = useHits(asked, COUNTED, isSettled && first.some(({ hasMore }) => hasMore));
  const counted = isSettled && all.data ? groupsOf(workspaceId, all.data) : [];
  const [expanded, setExpanded] = useState<readonly HitGroup['name'][]>([]);
  const content = first.map((group): HitGroup => {
    const whole = group.hasMore && counted.find(({ name }) => name === group.name);
    if (!whole) return group;
    const total = { count: whole.hits.length, isAtLeast: whole.hasMore };
    return expanded.includes(group.name) ? { ...whole, hasMore: false, total } : { ...group, total };
  });
  const people = usePeople(typed);
  const isNothing = !isRecent && isSettled && !search.isError && first.length === 0;
  const similar = useSimilarTitles(typed, isNothing);
  const destinations = destinationsFor(typed, may);
  const hitsOf = (wanted: Destination['kind']) =>
    destinations
      .filter(({ kind }) => kind === wanted)
      .map((destination) => destinationHit(workspaceId, destination, onHelp));
  const actions = hitsOf('action');
  const [here] = useState(actionHits);
  const isElsewhere = (title: string) => actions.some((action) => action.title === title);
  const groups = [
    ...localGroup('recent', isRecent ? recentHits(workspaceId) : []),
    ...localGroup(
      'here',
      here.filter(({ title }) => !isElsewhere(title) && (isRecent || isSimilar(typed, title))),
    ),
    ...localGroup('actions', actions),
    ...localGroup('pages', hitsOf('page')),
    ...localGroup('people', people),
    ...content,
    ...localGroup('similar', similar),
  ];
  const choices = groups.flatMap(choicesOf);
  const active = Math.min(at, choices.length - 1);
  const count = groups.reduce((sum, { hits, total }) => sum + (total?.count ?? hits.length), 0);
  const isAtLeast = groups.some(({ total, hasMore }) => total?.isAtLeast ?? hasMore);

  const showMore = (name: HitGroup['name']) => setExpanded([...expanded, name]);

  function open(hit: SearchHit, event: KeyboardEvent | MouseEvent) {
    const isNewTab = event.ctrlKey || event.metaKey || ('button' in event && event.button === 1);
    if (!isNewTab || hit.run) onClose();
    if (hit.run) return hit.run();
    if (!isLocal(hit)) rememberItem(workspaceId, hit);
    if (isNewTab) window.open(hit.address, '_blank', 'noopener');
    else router.history.push(hit.address);
  }

  function onKeyDown(event: KeyboardEvent) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices[active];
    if (move !== undefined && choices.length > 0) {
      event.preventDefault();
      setAt((active + move + choices.length) % choices.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (chosen?.hit && (isSettled || isLocal(chosen.hit))) open(chosen.hit, event);
      else if (chosen?.more) showMore(chosen.more);
    }
  }

  return (
    <Dialog title={ui.search} onClose={onClose} size="lg">
      <TextInput
        role="combobox"
        aria-label={t.label}
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(choices.length > 0 && { 'aria-activedescendant': `${listId}-${active}` })}
        placeholder={t.placeholder}
        leftSection={<Search size={16} aria-hidden />}
        rightSection={!isSettled && !search.isError && <Loader size="xs" aria-hidden />}
        maxLength={limits.searchQueryCharacters}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setExpanded([]);
        }}
        onKeyDown={onKeyDown}
      />
      <Box mt="sm" mih={120}>
        {search.isError && !isRecent && (
          <ProblemAlert error={search.error} retry={() => void search.refetch()} />
        )}
        <Hint role="status">
          {statusOf({ isRecent, isSettled, isError: search.isError, typed, count, isAtLeast })}
        </Hint>
        {all.isError && expanded.length > 0 && (
          <ProblemAlert error={all.error} retry={() => void all.refetch()} />
        )}
        <Hits listId={listId} groups={groups} active={active} onOpen={open} onMore={showMore} />
      </Box>
      <Group gap="md" mt="sm" visibleFrom="sm">
        <Text size="xs" c="dimmed">
          {t.keysHint}
        </Text>
      </Group>
    </Dialog>
  );
}

function Hits(props: {
  listId: string;
  groups: HitGroup[];
  active: number;
  onOpen: (hit: SearchHit, event: MouseEvent) => void;
  onMore: (name: HitGroup['name']) => void;
}) {
  const { listId, groups, active, onOpen, onMore } = props;
  if (groups.length === 0) return null;
  let index = -1;
  const next = () => {
    index += 1;
    return { id: `${listId}-${index}`, isActive: index === active };
  };
  return (
    <div id={listId} role="listbox" aria-label={t.results}>
      {groups.map(({ name, hits, hasMore, total }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for entries, this is a group of options
        <div key={name} role="group" aria-label={t.groups[name]}>
          <Text size="xs" fw={600} c="dimmed" mt="sm" mb="2xs" aria-hidden>
            {hasMore || total?.isAtLeast ? t.newest(t.groups[name], hits.length, total) : t.groups[name]}
          </Text>
          {hits.map((hit) => (
            <HitOption
              key={hit.id}
              {...next()}
              icon={ICONS[name]}
              hit={hit}
              onOpen={(event) => onOpen(hit, event)}
            />
          ))}
          {hasMore && (
            <SearchOption {...next()} onChoose={() => onMore(name)}>
              <Text size="sm">{t.showMore(t.groups[name])}</Text>
            </SearchOption>
          )}
        </div>
      ))}
    </div>
  );
}

/** Pages and actions are known at once, and are not recent items. */
const isLocal = ({ id, run }: SearchHit) => run !== undefined || id in t.destinations;

function destinationHit(workspaceId: string, { id, kind, path }: Destination, onHelp: () => void): SearchHit {
  const address = path?.startsWith('/') ? path : `/w/${workspaceId}/${path}`;
  const shown = { id, title: titleOf(id), about: t.kinds[kind], highlights: [], keys: keysTo(id) };
  return { ...shown, address, ...(path === null && { run: onHelp }) };
}

function keysTo(id: Destination['id']): readonly string[] {
  if (!areOn()) return [];
  if (id === 'newDecision') return ['c'];
  const second = Object.entries(PAGE_KEYS).find(([, page]) => page === id);
  return second ? ['g', second[0]] : [];
}

/** The actions of the page below the dialog. */
const actionHits = (): SearchHit[] =>
  pageActions().map((action, at) => {
    const key = areOn() && action.getAttribute('aria-keyshortcuts');
    return {
      id: `action-${at}`,
      title: action.textContent || action.ariaLabel || '',
      about: t.kinds.action,
      address: '',
      highlights: [],
      run: () => action.click(),
      keys: key ? [key] : [],
    };
  });

const recentHits = (workspaceId: string): SearchHit[] =>
  recentItems(workspaceId).map(({ about, ...item }) => ({
    ...item,
    about: t.kinds[about as keyof typeof t.kinds] ?? about,
    highlights: [],
  }));

const localGroup = (name: HitGroup['name'], hits: SearchHit[]): HitGroup[] =>
  hits.length > 0 ? [{ name, hits, hasMore: false }] : [];

/** The decisions, workflows and nodes that match, up to a number of each. */
function useHits(q: string, limit: number, enabled: boolean) {
  const { id: workspaceId } = useWorkspace();
  return useQuery({
    queryKey: [...queryKeys.search(workspaceId), q, limit],
    changesWith: [],
    // A new query cancels the previous one.
    queryFn: ({ signal }) => api.get('/search', { workspaceId, q, limit }, { signal }),
    enabled,
    ...(limit === SHOWN_OF_A_GROUP && { placeholderData: keepPreviousData }),
  });
}

/** The state as text, announced by screen readers. */
function statusOf(state: {
  isRecent: boolean;
  isSettled: boolean;
  isError: boolean;
  typed: string;
  count: number;
  isAtLeast: boolean;
}): string {
  const { isRecent, isSettled, isError, typed, count, isAtLeast } = state;
  if (isRecent) return t.hint;
  if (isError) return '';
  if (!isSettled) return t.searching;
  if (count === 0) return t.none(typed);
  return isAtLeast ? t.foundMore(count) : t.found(count);
}
