import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { plural, rich, sentence } from './format.ts';

/** The general settings of a workspace, and a new one. */
export const workspaceSettingsTexts = defineTexts('workspaceSettings', {
  roleIn: (role: string, workspace: string) =>
    `You are a ${role} of ${workspace}. Its owners and admins change its settings.`,
  renamed: (name: string) => `The workspace is called ${name} now.`,
  idOf: (id: string) => `Workspace id, as programs name it: ${id}`,

  new: {
    title: 'New workspace',
    nameHint: 'A team, a product or a company: its members share decisions, workflows and keys',
    create: 'Create workspace',
  },

  plan: {
    title: 'Plan',
    choose: 'Plan of this workspace',
    plans: {
      free: { name: 'Free', about: 'Everything except API keys and the audit log' },
      pro: { name: 'Pro', about: 'The same as Free: Waymark itself makes no difference between the two' },
      business: { name: 'Business', about: 'Adds API keys and the audit log' },
      enterprise: {
        name: 'Enterprise',
        about: 'Business with three times the requests per key and ten times per workspace',
      },
    },
    change: 'Change plan',
    changed: (plan: 'free' | 'pro' | 'business' | 'enterprise') =>
      `The workspace is on the ${sentence(plan)} plan now.`,
    askToLoseKeys: 'Change to a plan without API keys?',
    loseKeysHint:
      'Programs that use a key of this workspace are refused at once, until the plan changes again.',
    hint: 'A change applies at once.',
    operatorChanges: 'The operator of this installation can change the plan.',
    ownerChanges: 'An owner of the workspace can change the plan.',
  },

  secondFactor: {
    title: 'Second factor',
    isRequired: 'Members need a passkey, or a code with their password, to use this workspace.',
    isNotRequired: 'Members can use this workspace with their password alone.',
    hint: 'API keys, service accounts and calendar addresses are not affected.',
    require: 'Require a second factor',
    release: 'No longer require it',
    yoursFirst: (account: ReactNode) =>
      rich`To change this, sign in with a second factor yourself; you add one in ${account}.`,
    account: 'your account',
  },

  quality: {
    title: 'Quality score',
    label: 'Model',
    models: { 'dq-1': 'dq-1: counts characters', 'dq-2': 'dq-2: counts different words, in any language' },
    isChanged: 'New and changed decisions are scored with this model from now on.',
    hint: 'Other decisions keep the score and the model that they have.',
    about: 'How the score works',
  },

  forecasts: {
    title: 'Forecasts',
    label: 'Hide the forecasts of others until one has given one’s own',
    areHidden: 'The forecasts of others are hidden now.',
    areShown: 'Everyone sees all forecasts now.',
    hint: 'Whoever sees the forecasts of others follows them. Once the outcome is logged, everyone sees all.',
    about: 'About forecasts',
  },

  approvals: {
    title: 'Approvals of decisions',
    none: 'Decisions need no approvals.',
    rule: (number: number) => `Rule ${number}`,
    type: 'Type of decisions',
    typeHint: 'Empty for all types without a rule of their own',
    count: 'Approvals needed',
    role: 'From members with at least the role',
    members: 'Only from these members; from all with the role if none is chosen',
    mode: 'Without the approvals, a decision',
    modes: { advisory: 'shows what is missing', enforced: 'cannot be accepted' },
    authorCounts: 'Whoever last changed the text counts, too',
    add: 'Add a rule',
    remove: (number: number) => `Remove rule ${number}`,
    save: 'Save the rules',
    saved: 'The rules are saved.',
    hint: 'A change applies at once, also to decisions that wait for approval.',
  },

  retention: {
    title: 'Data retention',
    unlimited: 'Entries of the audit log are kept for as long as the workspace exists.',
    days: (days: number) =>
      plural(days, {
        one: 'Entries of the audit log are removed after # day.',
        other: 'Entries of the audit log are removed after # days.',
      }),
    others:
      'Finished webhook deliveries are removed after 30 days, unless the operator has set another time. Decisions, workflows and messages stay until somebody deletes them.',
    hint: 'The operator of this installation sets this (AUDIT_RETENTION_DAYS).',
  },

  leave: {
    title: 'Leave this workspace',
    hint: 'Your content stays; the API keys that you created are revoked.',
    start: 'Leave workspace',
    ask: (name: string) => `Leave ${name}?`,
    consequence: 'You lose access at once. To return, you need an invitation.',
    act: 'Leave',
  },

  delete: {
    title: 'Delete this workspace',
    hint: 'This also deletes its decisions, workflows, discussions, webhooks, keys and audit log for everyone.',
    start: 'Delete workspace',
    ask: (name: string) => `Delete ${name}?`,
    consequence: 'This cannot be undone. An export made before can be imported elsewhere.',
    typeName: (name: string) => `Type ${name} to confirm`,
    confirm: 'Delete for good',
    done: (name: string) => `Deleted ${name}.`,
  },
});
