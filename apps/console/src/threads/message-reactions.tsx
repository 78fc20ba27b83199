import { Button, Group } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { useRef, useState } from 'react';
import { sessionQuery } from '../session/session-query.ts';
import { list, number } from '../texts/format.ts';
import { threadTexts as t } from '../texts/thread.ts';
import { RowButton } from '../ui/list/row-button.tsx';
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

/** The reactions to a message with their counts. Members add one of their own, or take it back. */
export function MessageReactions(props: {
  message: Schemas['Message'];
  calls: ThreadCalls;
  onChanged: () => Promise<void>;
}) {
  const { id, reactions } = props.message;
  const { may } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const people = usePeople(reactions.length > 0) ?? [];
  const [isChoosing, setChoosing] = useState(false);
  const chooser = useRef<HTMLButtonElement>(null);
  const react = useMutation({
    mutationFn: ({ emoji, isThere }: { emoji: Emoji; isThere: boolean }) =>
      props.calls.react(id, emoji, isThere),
    onSuccess: props.onChanged,
  });
  const isOwn = ({ reactor_ids }: Schemas['Reaction']) => reactor_ids.includes(data.user.id);
  const own = reactions.filter(isOwn).map(({ emoji }) => emoji);

  function choose(emoji: Emoji, isThere: boolean): void {
    react.mutate({ emoji, isThere });
    setChoosing(false);
    chooser.current?.focus();
  }
  /** Service accounts, former members and the rest of many have no name here. */
  function namesOf(ids: string[]): string {
    const known = people.filter((one) => ids.includes(one.id)).slice(0, NAMED);
    const others = ids.length - known.length;
    return list([...known.map(({ name }) => name), ...(others > 0 ? [t.others(others)] : [])]);
  }
  if (reactions.length === 0 && !may('member')) return null;
  return (
    <Group gap="2xs" mt="xs" role="group" aria-label={t.reactions}>
      {reactions.map((reaction) => {
        const { emoji, reactor_ids } = reaction;
        const count = number(reactor_ids.length);
        const label = `${t.emoji[emoji]}, ${count}: ${namesOf(reactor_ids)}`;
        return (
          <Button
            key={emoji}
            size="compact-sm"
            variant={isOwn(reaction) ? 'light' : 'default'}
            aria-pressed={isOwn(reaction)}
            aria-label={label}
            title={label}
            disabled={!may('member')}
            onClick={() => choose(emoji, !isOwn(reaction))}
          >
            {SIGNS[emoji]} {count}
          </Button>
        );
      })}
      {may('member') && (
        <Button
          ref={chooser}
          size="compact-sm"
          variant="default"
          aria-expanded={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          {t.react}
        </Button>
      )}
      {isChoosing &&
        EMOJIS.filter((emoji) => !own.includes(emoji)).map((emoji) => (
          <RowButton
            key={emoji}
            aria-label={t.emoji[emoji]}
            title={t.emoji[emoji]}
            onClick={() => choose(emoji, true)}
          >
            {SIGNS[emoji]}
          </RowButton>
        ))}
    </Group>
  );
}
