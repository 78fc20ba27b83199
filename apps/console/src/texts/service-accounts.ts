import { defineTexts } from './define-texts.ts';

/** The service accounts of a workspace. */
export const serviceAccountsTexts = defineTexts('serviceAccounts', {
  title: 'Service accounts',
  about:
    'A program with a role. Its keys may do what the role may, settings included, and stay when their creator leaves.',
  columns: ['Name', 'Role', 'Created', 'Actions'],
  newKey: 'New key',
  newKeyOf: (name: string) => `New key of ${name}`,
  /** In the list of keys. */
  of: (name: string) => `of ${name}`,
  unknown: 'a service account',

  new: {
    title: 'Create a service account',
    nameHint: 'The program; the audit log and its records show this name',
    role: 'Role',
    done: (name: string) => `${name} is created. Create a key for it.`,
  },

  roleConsequence: (name: string, role: string) =>
    `${name} is ${role} now. The new role applies at once, to all its keys.`,

  remove: {
    ask: (name: string) => `Remove ${name}?`,
    consequence: 'Its keys are revoked at once, and so are keys without a role that it created.',
    done: (name: string) => `${name} is removed.`,
  },
});
