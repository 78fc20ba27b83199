import { defineTexts } from './define-texts.ts';

/** What the pages of a workspace's settings share. */
export const settingsTexts = defineTexts('settings', {
  title: 'Settings',
  general: 'General',
  members: 'Members',
  apiKeys: 'API keys',
  limits: 'Rate limits',
});
