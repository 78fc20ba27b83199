import { ActionIcon, Button, Group } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { SmilePlus } from 'lucide-react';
import { sessionQuery } from '../session/session-query.ts';
import { list, number } from '../texts/format.ts';
import { threadTexts as t } from '../texts/thread.ts';
import { ButtonPopover } from '../ui/dialog/button-popover.tsx';
import { IN_ROW } from '../ui/dialog/more-menu.tsx';
import { usePeople } from '../workspace/people.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import type { Emoji, ThreadCalls } from './thread-calls.ts';

const SIGNS: Record<Emoji, string> = {
  thumbs_up: '👍',
  thumbs_down: '👎',
  heart: '❤️',
  tada: '🎉',
  eyes: '👀',
  question: '❓',
};
const EMOJIS = Object.keys(SIGNS) as Emoji[];
const NAMED = 20;

/** Adds a reaction of the user's own to a message, or takes it back. */
export function useReact(message: Schemas['Message'], calls: ThreadCalls, onChanged: () => Promise<void>) {
  const { data } = useSuspenseQuery(sessionQuery);
  const { mutate } = useMutation({
    mutationFn: ({ emoji, isThere }: { emoji: Emoji; isThere: boolean }) =>
      calls.react(message.id, emoji, isThere),
    onSuccess: onChanged,
  });
  const isOwn = ({ reactor_ids }: Schemas['Reaction']) => reactor_ids.includes(data.user.id);
  const own = message.reactions.filter(isOwn).map(({ emoji }) => emoji);
  return { own, choose: (emoji: Emoji) => mutate({ emoji, isThere: !own.includes(emoji) }) };
}

type React = ReturnType<typeof useReact>;

/** Offers the six reactions, of which those of the user are pressed. */
export function ReactButton({ own, choose }: React) {
  return (
    <ButtonPopover
      side="end"
      button={(popoverTarget) => (
        <ActionIcon {...IN_ROW} popoverTarget={popoverTarget} aria-label={t.react} title={t.react}>
          <SmilePlus size={16} />
        </ActionIcon>
      )}
    >
      <Group gap="2xs" wrap="nowrap">
        {EMOJIS.map((emoji) => (
          <ActionIcon
            key={emoji}
            {...IN_ROW}
            variant={own.includes(emoji) ? 'light' : 'subtle'}
            size={32}
            aria-pressed={own.includes(emoji)}
            aria-label={t.emoji[emoji]}
            title={t.emoji[emoji]}
            onClick={() => choose(emoji)}
          >
            {SIGNS[emoji]}
          </ActionIcon>
        ))}
      </Group>
    </ButtonPopover>
  );
}

/** The reactions to a message with their counts. Members add theirs to one, or take it back. */
export function MessageReactions(props: { reactions: Schemas['Reaction'][]; react: React }) {
  const { reactions, react } = props;
  const { may } = useWorkspace();
  const people = usePeople(reactions.length > 0) ?? [];
  /** Service accounts, former members and the rest of many have no name here. */
  function namesOf(ids: string[]): string {
    const known = people.filter((one) => ids.includes(one.id)).slice(0, NAMED);
    const others = ids.length - known.length;
    return list([...known.map(({ name }) => name), ...(others > 0 ? [t.others(others)] : [])]);
  }
  if (reactions.length === 0) return null;
  return (
    <Group gap="2xs" mt="xs" role="group" aria-label={t.reactions}>
      {reactions.map(({ emoji, reactor_ids }) => {
        const isOwn = react.own.includes(emoji);
        const count = number(reactor_ids.length);
        const label = `${t.emoji[emoji]}, ${count}: ${namesOf(reactor_ids)}`;
        return (
          <Button
            key={emoji}
            size="compact-sm"
            variant={isOwn ? 'light' : 'default'}
            aria-pressed={isOwn}
            aria-label={label}
            title={label}
            disabled={!may('member')}
            onClick={() => react.choose(emoji)}
          >
            {SIGNS[emoji]} {count}
          </Button>
        );
      })}
    </Group>
  );
}
