import { TextLink } from '../ui/links.tsx';
import type { Notification } from './inbox-query.ts';

type About = Pick<Notification, 'workspace_id' | 'record_type' | 'record_id' | 'workflow_id'>;

/** The link to the record of a notification, or to one that is watched. */
export function RecordLink(props: { about: About; fw?: number; onClick?: () => void; children: string }) {
  const { about, ...link } = props;
  const search = about.record_type === 'node' ? { node: about.record_id } : {};
  return <TextLink {...link} to={addressOf(about)} search={search} />;
}

/** The address of the record, or of the list of its kind. */
function addressOf({ workspace_id, record_type, record_id, workflow_id }: About): string {
  const home = `/w/${workspace_id}`;
  switch (record_type) {
    case 'decision':
      return `${home}/decisions/${record_id}`;
    case 'workflow':
      return `${home}/workflows/${record_id}`;
    case 'node':
      return workflow_id === null ? `${home}/workflows` : `${home}/workflows/${workflow_id}`;
    case 'import':
      return `${home}/transfer`;
    case 'api_key':
      return `${home}/settings/api-keys`;
    case 'webhook':
      return `${home}/webhooks`;
    case 'workspace':
      return `${home}/decisions`;
  }
}
