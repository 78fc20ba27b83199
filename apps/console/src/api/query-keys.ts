/**
 * Every query key of the console. A workspace's keys begin with its id, so that an import or a live event
 * can invalidate part of them: `queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId)
 * })`.
 */
export const queryKeys = {
  session: ['session'] as const,
  everyWorkspace: ['workspace'] as const,
  workspace: (workspaceId: string) => ['workspace', workspaceId] as const,
  decisions: (workspaceId: string) => ['workspace', workspaceId, 'decisions'] as const,
  views: (workspaceId: string) => ['workspace', workspaceId, 'views'] as const,
  approvalRules: (workspaceId: string) => ['workspace', workspaceId, 'approval-rules'] as const,
  myWork: (workspaceId: string) => ['workspace', workspaceId, 'my-work'] as const,
  metrics: (workspaceId: string) => ['workspace', workspaceId, 'metrics'] as const,
  workflows: (workspaceId: string) => ['workspace', workspaceId, 'workflows'] as const,
  threads: (workspaceId: string) => ['workspace', workspaceId, 'threads'] as const,
  trash: (workspaceId: string) => ['workspace', workspaceId, 'trash'] as const,
  search: (workspaceId: string) => ['workspace', workspaceId, 'search'] as const,
  members: (workspaceId: string) => ['workspace', workspaceId, 'members'] as const,
  invitations: (workspaceId: string) => ['workspace', workspaceId, 'invitations'] as const,
  apiKeys: (workspaceId: string) => ['workspace', workspaceId, 'api-keys'] as const,
  serviceAccounts: (workspaceId: string) => ['workspace', workspaceId, 'service-accounts'] as const,
  webhooks: (workspaceId: string) => ['workspace', workspaceId, 'webhooks'] as const,
  webhook: (workspaceId: string, id: string) => ['workspace', workspaceId, 'webhooks', id] as const,
  audit: (workspaceId: string) => ['workspace', workspaceId, 'audit'] as const,
  rateLimits: (workspaceId: string) => ['workspace', workspaceId, 'rate-limits'] as const,
  notifications: ['notifications'] as const,
  account: ['account'] as const,
};
