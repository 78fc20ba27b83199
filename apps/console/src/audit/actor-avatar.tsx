import type { Schemas } from '@waymark/client/api';
import { Bot, CircleUserRound, KeyRound, type LucideIcon, Server } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import './actor-avatar.css';

type Actor = Schemas['AuditEntry']['actor'];

const PROGRAMS: { [type in Actor['type']]?: LucideIcon } = {
  api_key: KeyRound,
  service_account: Bot,
  service: Server,
};

/** The initials of a person, a symbol for a program, another one for a person whose name is not known. */
export function ActorAvatar({ actor: { type, name } }: { actor: Actor }) {
  const program = PROGRAMS[type];
  const Icon = program ?? (name === null ? CircleUserRound : null);
  return (
    <span className="actor-avatar" data-actor={program ? type : 'person'}>
      <Avatar name={name ?? ''} symbol={Icon && <Icon size={14} />} />
    </span>
  );
}
