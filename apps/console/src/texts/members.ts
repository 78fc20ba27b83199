import { defineTexts } from './define-texts.ts';

/** The members of a workspace, and invitations to it. */
export const membersTexts = defineTexts('members', {
  columns: ['Name', 'Role', 'Since', 'Actions'],
  me: (name: string) => `${name} (you)`,
  mailRefused: 'The mail server refused this address.',
  owner: 'Owner',
  roles: {
    viewer: 'Viewer: read only',
    member: 'Member: read and write',
    admin: 'Admin: also manages settings',
    owner: 'Owner: also manages the plan and deletion',
  },

  role: {
    of: (name: string) => `Role of ${name}`,
    change: 'Change role',
    askMine: (role: string) => `Become ${role}?`,
    ask: (name: string, role: string) => `Make ${name} ${role}?`,
    consequenceMine: (role: string) => `You are ${role} now, and cannot restore your role yourself.`,
    consequence: (name: string, role: string) => `${name} is ${role} now. The new role applies at once.`,
    done: (name: string, role: string) => `${name} is ${role} now.`,
  },

  leave: {
    act: 'Leave',
    ask: (workspace: string) => `Leave ${workspace}?`,
    consequence: 'You lose access at once.',
    keys: (keys: string) => `The API keys created by you are revoked: ${keys}.`,
  },

  remove: {
    andKeepKeys: 'Remove and keep keys',
    ask: (name: string) => `Remove ${name}?`,
    consequence: (name: string) => `${name} loses access at once.`,
    keys: (name: string, keys: string) => `The API keys created by ${name} are revoked: ${keys}.`,
    done: (name: string) => `${name} is no longer a member.`,
  },

  invite: {
    title: 'Invite by link',
    link: 'link',
    mailed: (email: string) =>
      `It is mailed to ${email}; you can also send it yourself. It works once, for seven days, and you can revoke it.`,
    note: 'Send it to the person you invite. It works once, for seven days, and you can revoke it.',
    email: 'E-mail',
    emailHint:
      'Only this person can use the link, with an account of this address or a new one. Leave empty to allow anyone with the link, as a member or viewer.',
    role: 'Role',
    create: 'Create the link',
  },

  invitations: {
    title: 'Open invitations',
    columns: ['For', 'Role', 'Until', 'Actions'],
    anyone: 'Anyone with the link',
    mail: {
      waiting: 'The mail is on its way',
      sent: 'Mailed',
      refused: 'The mail server refused this address. Correct it, or send the link yourself.',
    },
    revoke: 'Revoke',
    revokeOf: (email: string) => `Revoke the invitation of ${email}`,
    revokeOfAnyone: 'Revoke the invitation of anyone with the link',
    askRevoke: 'Revoke the invitation?',
    consequence: 'Its link stops working at once.',
    revoked: 'The link no longer works.',
  },
});
