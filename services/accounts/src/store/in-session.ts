import type { Transaction } from '@waymark/service-kit/store';

/** A transaction's session: every query of the transaction carries it. */
export type DatabaseSession = Transaction['session'];

/** The option that puts a query into a transaction, or none outside one. */
export function inSession(session: DatabaseSession | undefined): { session?: DatabaseSession } {
  return session ? { session } : {};
}
