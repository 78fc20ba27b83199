import { defineTexts } from './define-texts.ts';

/** The texts that the pages of a workspace's settings share. */
export const settingsTexts = defineTexts('settings', {
  title: 'Settings',
  general: 'General',
  members: 'Members',
  apiKeys: 'API keys',
  limits: 'Rate limits',
});
