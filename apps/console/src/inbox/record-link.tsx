import { linkOptions } from '@tanstack/react-router';
import { TextLink } from '../ui/links.tsx';
import type { Notification } from './inbox-query.ts';

type About = Pick<Notification, 'workspace_id' | 'record_type' | 'record_id' | 'workflow_id'>;

/** The link to the record of a notification, or to one that is watched. */
export function RecordLink(props: { about: About; fw?: number; onClick?: () => void; children: string }) {
  const { about, ...link } = props;
  return <TextLink {...link} {...addressOf(about)} />;
}

/** The address of the record, or of the list of its kind. */
function addressOf({ workspace_id: workspaceId, record_type, record_id, workflow_id }: About) {
  const params = { workspaceId };
  switch (record_type) {
    case 'decision':
      return linkOptions({
        to: '/w/$workspaceId/decisions/$decisionId',
        params: { ...params, decisionId: record_id },
      });
    case 'workflow':
      return linkOptions({
        to: '/w/$workspaceId/workflows/$workflowId',
        params: { ...params, workflowId: record_id },
      });
    case 'node':
      if (workflow_id === null) return linkOptions({ to: '/w/$workspaceId/workflows', params });
      return linkOptions({
        to: '/w/$workspaceId/workflows/$workflowId',
        params: { ...params, workflowId: workflow_id },
        search: { node: record_id },
      });
    case 'import':
      return linkOptions({ to: '/w/$workspaceId/transfer', params });
    case 'api_key':
      return linkOptions({ to: '/w/$workspaceId/settings/api-keys', params });
    case 'webhook':
      return linkOptions({ to: '/w/$workspaceId/webhooks', params });
    case 'workspace':
      return linkOptions({ to: '/w/$workspaceId/decisions', params });
  }
}
