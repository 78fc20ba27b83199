import { apiKeys } from './api-keys.ts';
import { app } from './app.ts';
import { audit } from './audit.ts';
import { auditSentences } from './audit-sentences.ts';
import { auth } from './auth.ts';
import { authorize } from './authorize.ts';
import { canvas } from './canvas.ts';
import { cliLogin } from './cli-login.ts';
import { decision } from './decision.ts';
import { decisionFilters } from './decision-filters.ts';
import { decisionForm } from './decision-form.ts';
import { decisionList } from './decision-list.ts';
import { decisionPage } from './decision-page.ts';
import { deliveries } from './deliveries.ts';
import { firstSteps } from './first-steps.ts';
import { inbox } from './inbox.ts';
import { insight } from './insight.ts';
import { limits } from './limits.ts';
import { members } from './members.ts';
import { myWork } from './my-work.ts';
import { nodePanel } from './node-panel.ts';
import { nodes } from './nodes.ts';
import { problem } from './problem.ts';
import { search } from './search.ts';
import { serviceAccounts } from './service-accounts.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { settingsAccount } from './settings-account.ts';
import { thread } from './thread.ts';
import { transfer } from './transfer.ts';
import { trash } from './trash.ts';
import { ui } from './ui.ts';
import { views } from './views.ts';
import { webhooks } from './webhooks.ts';
import { words } from './words.ts';
import { workflows } from './workflows.ts';
import { workspaceSettings } from './workspace-settings.ts';

/** The German texts by area. The user is addressed as "du". */
export const german: Record<string, object> = {
  apiKeys,
  app,
  audit,
  auditSentences,
  auth,
  authorize,
  canvas,
  cliLogin,
  decision,
  decisionFilters,
  decisionForm,
  decisionList,
  decisionPage,
  deliveries,
  firstSteps,
  inbox,
  insight,
  limits,
  members,
  myWork,
  nodePanel,
  nodes,
  problem,
  search,
  serviceAccounts,
  session,
  settings,
  settingsAccount,
  thread,
  transfer,
  trash,
  ui,
  views,
  webhooks,
  words,
  workflows,
  workspaceSettings,
};
