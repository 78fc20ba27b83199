import type { QueryKey } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';

type Change = Pick<Schemas['LiveEvent'], 'type' | 'subject' | 'decision_id'>;

/** Queries whose answers another service derives from every event, a moment later. */
export const isDerived = ([, , kind, part, list]: QueryKey) =>
  (kind === 'audit' && part !== 'facets') ||
  (kind === 'webhooks' && (list === 'deliveries' || list === 'stats'));

/** Whether a change may have changed the answer of a query of its workspace; null is an unknown change. */
export function concerns(change: Change | null, key: QueryKey): boolean {
  if (isDerived(key)) return true;
  const [, , kind, part, detail] = key;
  const isOf = (...kinds: string[]) => change === null || kinds.includes(change.type.split('.')[0]!);
  const isAbout = (id: unknown) => change === null || change.subject.id === id;
  switch (kind) {
    case 'decisions':
      if (!isOf('decision', 'decisions') || part === 'draft') return false;
      return part === 'list' || part === 'facets' || part === 'overdue' || detail === 'page' || isAbout(part);
    case 'my-work':
      return part === 'nodes' ? isOf('node', 'nodes', 'workflow') : isOf('decision', 'decisions');
    case 'metrics':
      return isOf('decision', 'decisions');
    case 'threads':
      // The canvas follows the threads of its nodes itself.
      if (part !== 'decision' || !isOf('thread', 'messages')) return false;
      return change === null || change.type === 'messages.imported' || change.decision_id === detail;
    case 'trash':
      return change === null || /(deleted|created)$/.test(change.type);
    case 'workflows':
      // The canvas follows its graph itself.
      return isOf('workflow') && part === undefined;
    case 'members':
    case 'invitations':
      return isOf('workspace', 'invitation');
    case 'api-keys':
      return isOf('api_key');
    case 'service-accounts':
      return isOf('service_account');
    case 'webhooks':
      return isOf('webhook', 'delivery') && part !== 'event-types';
    default:
      return false;
  }
}
