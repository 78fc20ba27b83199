import type { settingsTexts } from '../settings.ts';

export const settings: typeof settingsTexts = {
  title: 'Einstellungen',
  general: 'Allgemein',
  members: 'Mitglieder',
  apiKeys: 'API-Schlüssel',
  limits: 'Ratenlimits',
};
