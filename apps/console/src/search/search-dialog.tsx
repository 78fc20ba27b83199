import { Box, Group, Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
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
import { type KeyboardEvent, useId, useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { searchTexts as t } from '../texts/search.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Hint } from '../ui/text/hint.ts';
import { recentItems, rememberItem } from '../workspace/recent-items.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { type Destination, destinationsFor, titleOf } from './destinations.ts';
import { HitOption } from './hit-option.tsx';
import {
  type GroupName,
  groupsOf,
  type HitGroup,
  type LaterPage,
  type SearchHit,
  type Total,
  withPages,
} from './search-hit.ts';
import { SearchOption } from './search-option.tsx';
import { usePeople, useSimilarTitles } from './use-people.ts';
import './search.css';

const PAUSE_MS = 200;
const SHOWN_OF_A_GROUP = 8;
/** Hits are counted up to this many. */
const COUNTED = 100;

const ICONS: Record<HitGroup['name'], LucideIcon> = {
  recent: History,
  actions: Zap,
  pages: PanelTop,
  people: UserRound,
  decisions: ListChecks,
  workflows: Workflow,
  nodes: CircleDot,
  similar: CircleDot,
};

type More = NonNullable<HitGroup['more']>;

/** The options for the arrow keys: the hits of a group, then "more". */
function choicesOf({ hits, more }: HitGroup): { hit?: SearchHit; more?: More }[] {
  return [...hits.map((hit) => ({ hit })), ...(more ? [{ more }] : [])];
}

interface SearchDialogProps {
  text: string;
  setText: (text: string) => void;
  onClose: () => void;
  onHelp: () => void;
}

/** Finds pages, actions, people, decisions, workflows and nodes. Arrow keys select, Enter opens. */
export default function SearchDialog({ text, setText, onClose, onHelp }: SearchDialogProps) {
  const { id: workspaceId, may } = useWorkspace();
  const router = useRouter();
  const listId = useId();
  const [at, setAt] = useState(0);
  const typed = text.trim();
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const search = useQuery({
    queryKey: [...queryKeys.search(workspaceId), asked],
    changesWith: [],
    // A new query cancels the previous one.
    queryFn: ({ signal }) => {
      const query = { workspaceId, q: asked, limit: SHOWN_OF_A_GROUP };
      return unwrap(api.GET('/search', { params: { query }, signal }));
    },
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });

  const isRecent = typed === '';
  // Further pages belong to the result that they continue.
  const [later, setLater] = useState<{ of: unknown; pages: LaterPage[] }>({ of: null, pages: [] });
  const pages = later.of === search.data ? later.pages : [];
  const more = useMutation({
    mutationFn: ({ cursor }: More & { of: unknown }) => {
      const query = { workspaceId, q: asked, limit: SHOWN_OF_A_GROUP, cursor };
      return unwrap(api.GET('/search', { params: { query } }));
    },
    // The query may have changed meanwhile.
    onSuccess: (result, { name, of }) =>
      setLater((known) => ({ of, pages: [...(known.of === of ? known.pages : []), { name, result }] })),
  });
  const found = (!isRecent && search.data && groupsOf(workspaceId, withPages(search.data, pages))) || [];
  // Show only the results of the current input.
  const isSettled = isRecent || (asked === typed && !search.isFetching);
  const totals = useTotals(asked, isSettled && found.some(({ more }) => more !== null));
  const content = found.map((group) => ({ ...group, total: totals[group.name] ?? null }));
  const people = usePeople(typed);
  const isNothing = !isRecent && isSettled && !search.isError && found.length === 0;
  const similar = useSimilarTitles(typed, isNothing);
  const destinations = destinationsFor(typed, may);
  const hitsOf = (wanted: Destination['kind']) =>
    destinations
      .filter(({ kind }) => kind === wanted)
      .map((destination) => destinationHit(workspaceId, destination));
  const groups = [
    ...localGroup('recent', isRecent ? recentHits(workspaceId) : []),
    ...localGroup('actions', hitsOf('action')),
    ...localGroup('pages', hitsOf('page')),
    ...localGroup('people', people),
    ...content,
    ...localGroup('similar', similar),
  ];
  const choices = groups.flatMap(choicesOf);
  const active = Math.min(at, choices.length - 1);
  const count = groups.reduce((sum, { hits, total }) => sum + (total?.count ?? hits.length), 0);
  const isAtLeast = groups.some(({ total, more }) => total?.isAtLeast ?? more !== null);

  function showMore(wanted: More) {
    if (!more.isPending && isSettled) more.mutate({ ...wanted, of: search.data });
  }

  function open(hit: SearchHit) {
    if (hit.address === HELP) return onHelp();
    if (!isDestination(hit)) rememberItem(workspaceId, hit);
    onClose();
    router.history.push(hit.address);
  }

  function onKeyDown(event: KeyboardEvent) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices[active];
    if (move !== undefined && choices.length > 0) {
      event.preventDefault();
      setAt((active + move + choices.length) % choices.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (chosen?.hit && (isSettled || isDestination(chosen.hit))) open(chosen.hit);
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
        {more.isError && <ProblemAlert error={more.error} />}
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
  onOpen: (hit: SearchHit) => void;
  onMore: (more: More) => void;
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
      {groups.map(({ name, hits, more, total }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for entries, this is a group of options
        <div key={name} role="group" aria-label={t.groups[name]}>
          <Text size="xs" fw={600} c="dimmed" mt="sm" mb="2xs" aria-hidden>
            {more ? t.newest(t.groups[name], hits.length, total) : t.groups[name]}
          </Text>
          {hits.map((hit) => (
            <HitOption key={hit.id} {...next()} icon={ICONS[name]} hit={hit} onOpen={() => onOpen(hit)} />
          ))}
          {more && (
            <SearchOption {...next()} onChoose={() => onMore(more)}>
              <Text size="sm">{t.showMore(t.groups[name])}</Text>
            </SearchOption>
          )}
        </div>
      ))}
    </div>
  );
}

/** Pages and actions are known at once, and are not recent items. */
const isDestination = ({ id }: SearchHit) => id in t.destinations;

/** The address of the list of shortcuts, which is not a page. */
const HELP = '#shortcuts';

function destinationHit(workspaceId: string, { id, kind, path }: Destination): SearchHit {
  const address = path === null ? HELP : path.startsWith('/') ? path : `/w/${workspaceId}/${path}`;
  return { id, title: titleOf(id), about: t.kinds[kind], address, highlights: [] };
}

const recentHits = (workspaceId: string): SearchHit[] =>
  recentItems(workspaceId).map(({ about, ...item }) => ({
    ...item,
    about: t.kinds[about as keyof typeof t.kinds] ?? about,
    highlights: [],
  }));

const localGroup = (name: HitGroup['name'], hits: SearchHit[]): HitGroup[] =>
  hits.length > 0 ? [{ name, hits, more: null }] : [];

/** How many hits each group has, counted up to a limit. */
function useTotals(asked: string, isWanted: boolean): Partial<Record<HitGroup['name'], Total>> {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery({
    queryKey: [...queryKeys.search(workspaceId), asked, 'totals'],
    changesWith: [],
    queryFn: ({ signal }) => {
      const query = { workspaceId, q: asked, limit: COUNTED };
      return unwrap(api.GET('/search', { params: { query }, signal }));
    },
    enabled: isWanted,
  });
  if (!data || !isWanted) return {};
  const total = (name: GroupName) => ({
    count: data[name].length,
    isAtLeast: data.next_cursors[name] !== null,
  });
  return { decisions: total('decisions'), workflows: total('workflows'), nodes: total('nodes') };
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
