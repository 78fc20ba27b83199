import type { Schemas } from '@waymark/client/api';
import { assignableRoles } from '../members/roles.ts';

export type ServiceAccountRole = Schemas['ServiceAccount']['role'];

/** The roles that a service account can have: all that an admin can assign. */
export const rolesOfAccounts = () => assignableRoles('admin');
