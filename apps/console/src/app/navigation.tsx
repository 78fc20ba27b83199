import { NavLink } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  ChartScatter,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  Webhook,
  Workflow,
} from 'lucide-react';
import { type OpenWorkspace, useWorkspace } from '../session/use-workspace.ts';

interface Place {
  to:
    | '/w/$workspaceId/decisions'
    | '/w/$workspaceId/workflows'
    | '/w/$workspaceId/insight'
    | '/w/$workspaceId/transfer'
    | '/w/$workspaceId/webhooks'
    | '/w/$workspaceId/audit'
    | '/w/$workspaceId/settings';
  label: string;
  icon: LucideIcon;
  role: Parameters<OpenWorkspace['may']>[0];
  /** Begins a group. */
  isApart?: true;
}

const PLACES: Place[] = [
  { to: '/w/$workspaceId/decisions', label: 'Decisions', icon: ListChecks, role: 'viewer' },
  { to: '/w/$workspaceId/workflows', label: 'Workflows', icon: Workflow, role: 'viewer' },
  { to: '/w/$workspaceId/insight', label: 'Insight', icon: ChartScatter, role: 'viewer' },
  {
    to: '/w/$workspaceId/transfer',
    label: 'Export and import',
    icon: ArrowLeftRight,
    role: 'viewer',
    isApart: true,
  },
  { to: '/w/$workspaceId/webhooks', label: 'Webhooks', icon: Webhook, role: 'admin' },
  { to: '/w/$workspaceId/audit', label: 'Audit log', icon: ScrollText, role: 'viewer' },
  { to: '/w/$workspaceId/settings', label: 'Settings', icon: Settings, role: 'viewer' },
];

/** The pages of the open workspace that the user's role can see. */
export function Navigation() {
  const { id, may } = useWorkspace();
  return PLACES.filter(({ role }) => may(role)).map(({ to, label, icon: Icon, isApart }) => (
    <Link
      key={to}
      to={to}
      params={{ workspaceId: id }}
      data-apart={isApart}
      style={{ textDecoration: 'none', color: 'inherit' }}
    >
      {({ isActive }) => (
        <NavLink
          component="span"
          label={label}
          leftSection={<Icon size={16} aria-hidden />}
          active={isActive}
        />
      )}
    </Link>
  ));
}
