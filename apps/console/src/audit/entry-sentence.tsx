import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '@waymark/client/api';
import type { ReactNode } from 'react';
import { auditTexts as t } from '../texts/audit.ts';
import { auditSentencesTexts, type Sentence } from '../texts/audit-sentences.ts';
import { list } from '../texts/format.ts';
import { wordsTexts } from '../texts/words.ts';
import { type OpenWorkspace, useWorkspace } from '../workspace/use-workspace.ts';
import { nameOf } from './actor-name.ts';
import { FilterLink } from './filter-link.tsx';
import './entry-sentence.css';
import { Bot, CircleUserRound, KeyRound, type LucideIcon, Server } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';

type AuditEntry = Schemas['AuditEntry'];

/** An entry as a sentence. Its parts filter the entries, and the record leads to its page. */
export function EntrySentence({ entry, title }: { entry: AuditEntry; title: string }) {
  const { actor, action, resource_id: id, via } = entry;
  const name = nameOf(actor);
  const who = actor.id ? (
    <FilterLink filter={{ actor: actor.id }} what="actor">
      {name}
    </FilterLink>
  ) : (
    <bdi>{name}</bdi>
  );
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <ActorAvatar actor={actor} />
      <div>
        <div className="entry-sentence">{say(entry, who, <RecordName entry={entry} title={title} />)}</div>
        <Text size="xs" c="dimmed">
          <FilterLink filter={{ action }} what="action">
            {action}
          </FilterLink>
          {id !== null && (
            <>
              {' · '}
              <FilterLink filter={{ resourceId: id }} what="record" name={title}>
                {t.itsEntries}
              </FilterLink>
            </>
          )}
          {via !== undefined && ` · ${t.via(via)}`}
        </Text>
      </div>
    </Group>
  );
}

/** Returns the sentence of an entry. A newer server has more actions than the table. */
function say({ action, changes }: AuditEntry, who: ReactNode, it: ReactNode): ReactNode {
  const sentences: Partial<Record<string, Sentence>> = auditSentencesTexts;
  const sentence = sentences[action];
  if (!sentence) return auditSentencesTexts.other(who, it, action);
  const fields = Object.keys(changes ?? {});
  // An outcome comes with its notes.
  const [field, ...others] = fields.filter((name) => name !== 'outcome_notes');
  if (action.endsWith('.update') && others.length === 0 && isInWords(field)) {
    const words: Partial<Record<string, string>> = wordsTexts[field];
    const value = words[String(changes?.[field]?.after)];
    if (value) return auditSentencesTexts[`set ${field}`](who, it, value);
  }
  return sentence(who, it, <span>{list(fields.map(wordsTexts.field)) || t.someFields}</span>);
}

/** Fields with few values, each with a word of its own. */
const isInWords = (field: string | undefined): field is 'status' | 'outcome' | 'role' =>
  field === 'status' || field === 'outcome' || field === 'role';

type May = OpenWorkspace['may'];

/** Where records have pages of their own, and for whom. */
const PAGES: Record<string, { path: string; role: Parameters<May>[0] }> = {
  decision: { path: 'decisions', role: 'viewer' },
  workflow: { path: 'workflows', role: 'viewer' },
  webhook: { path: 'webhooks', role: 'admin' },
};

/** The name of a record, which leads to its page if it has one. */
function RecordName({ entry, title }: { entry: AuditEntry; title: string }) {
  const { workspace_id, resource_type, resource_id: id, action } = entry;
  const { may } = useWorkspace();
  const page = PAGES[resource_type];
  if (!page || id === null || !may(page.role) || action.endsWith('.delete')) return <bdi>{title}</bdi>;
  const to: string = `/w/${workspace_id}/${page.path}/${id}`;
  return (
    <Anchor inherit c="inherit" renderRoot={(props) => <Link to={to} preload={false} {...props} />}>
      <bdi>{title}</bdi>
    </Anchor>
  );
}

type Actor = Schemas['AuditEntry']['actor'];

const PROGRAMS: { [type in Actor['type']]?: LucideIcon } = {
  api_key: KeyRound,
  service_account: Bot,
  service: Server,
};

/** The initials of a person, a symbol for a program, another one for a person whose name is not known. */
function ActorAvatar({ actor: { type, name } }: { actor: Actor }) {
  const program = PROGRAMS[type];
  const Icon = program ?? (name === null ? CircleUserRound : null);
  return (
    <span className="actor-avatar" data-actor={program ? type : 'person'}>
      <Avatar name={name ?? ''} symbol={Icon && <Icon size={14} />} />
    </span>
  );
}
