import { ApiError } from '@waymark/contracts';
import type { Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import type { Store } from '../store/index.ts';
import type { UserRecord } from '../store/users.ts';

type CheckOwnedCap = (user: UserRecord, tx: Transaction) => Promise<void>;

/**
 * Throws LIMIT_EXCEEDED when the user owns as many workspaces as one may. It holds until the transaction commits where
 * that has raised the user: whoever else makes them an owner takes turns with it.
 */
export function ownedCap(options: { store: Store; config: AccountsConfig }): CheckOwnedCap {
  const { store, config } = options;
  return async ({ id, email }, tx) => {
    if ((await store.members.countOwned(id, tx.session)) < config.workspacesPerUser) return;
    throw new ApiError('LIMIT_EXCEEDED', {
      message: `${email} owns ${config.workspacesPerUser} workspaces, as many as one user may.`,
    });
  };
}
