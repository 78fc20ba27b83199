import { Link } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  ChartScatter,
  CircleCheckBig,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  Trash2,
  Webhook,
  Workflow,
} from 'lucide-react';
import { appTexts as t } from '../texts/app.ts';
import { type OpenWorkspace, useWorkspace } from '../workspace/use-workspace.ts';

interface Place {
  page: keyof typeof t.pages;
  icon: LucideIcon;
  role: Parameters<OpenWorkspace['may']>[0];
  /** Begins a group. */
  isApart?: true;
}

const PLACES: Place[] = [
  { page: 'my-work', icon: CircleCheckBig, role: 'viewer' },
  { page: 'decisions', icon: ListChecks, role: 'viewer' },
  { page: 'workflows', icon: Workflow, role: 'viewer' },
  { page: 'insight', icon: ChartScatter, role: 'viewer' },
  { page: 'transfer', icon: ArrowLeftRight, role: 'viewer', isApart: true },
  { page: 'webhooks', icon: Webhook, role: 'admin' },
  { page: 'audit', icon: ScrollText, role: 'viewer' },
  { page: 'trash', icon: Trash2, role: 'viewer' },
  { page: 'settings', icon: Settings, role: 'viewer' },
];

/** The pages of the open workspace that the user's role can see. */
export function Navigation() {
  const { id, may } = useWorkspace();
  return PLACES.filter(({ role }) => may(role)).map(({ page, icon: Icon, isApart }) => (
    <Link
      key={page}
      to={`/w/$workspaceId/${page}`}
      params={{ workspaceId: id }}
      data-apart={isApart}
      className="place mantine-focus-auto"
    >
      <Icon size={16} />
      {t.pages[page]}
    </Link>
  ));
}
