import {
  type KeyPrincipal,
  newId,
  type Role,
  type ServiceName,
  type ServicePrincipal,
  type SessionPrincipal,
} from '@waymark/contracts';

/** Returns an API key with both scopes on the business plan, in a new workspace. */
export function keyPrincipal(overrides: Partial<KeyPrincipal> = {}): KeyPrincipal {
  return {
    type: 'api_key',
    key_id: newId(),
    key_name: 'test key',
    key_prefix: 'wmk_test01',
    user_id: newId(),
    workspace_id: newId(),
    scopes: ['read', 'write'],
    plan: 'business',
    ...overrides,
  };
}

/** Returns a signed-in user with a role in a workspace, on the business plan. */
export function sessionPrincipal(
  options: { workspaceId?: string; role?: Role; plan?: KeyPrincipal['plan']; userId?: string } = {},
): SessionPrincipal {
  return {
    type: 'session',
    session_id: newId(),
    user_id: options.userId ?? newId(),
    user_name: 'Test User',
    membership: {
      workspace_id: options.workspaceId ?? newId(),
      role: options.role ?? 'owner',
      plan: options.plan ?? 'business',
    },
  };
}

export function servicePrincipal(service: ServiceName = 'gateway'): ServicePrincipal {
  return { type: 'service', service };
}
