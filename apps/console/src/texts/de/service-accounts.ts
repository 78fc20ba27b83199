import type { serviceAccountsTexts } from '../service-accounts.ts';

export const serviceAccounts: typeof serviceAccountsTexts = {
  title: 'Dienstkonten',
  about:
    'Ein Programm mit einer Rolle. Seine Schlüssel dürfen, was die Rolle darf, auch Einstellungen ändern, und bleiben gültig, wenn geht, wer sie erstellt hat.',
  columns: ['Name', 'Rolle', 'Erstellt', 'Aktionen'],
  newKey: 'Neuer Schlüssel',
  newKeyOf: (name) => `Neuer Schlüssel für ${name}`,
  of: (name) => `von ${name}`,
  unknown: 'einem Dienstkonto',

  new: {
    title: 'Dienstkonto erstellen',
    nameHint: 'Das Programm; das Audit-Log und seine Einträge zeigen diesen Namen',
    role: 'Rolle',
    done: (name) => `${name} ist erstellt. Erstelle einen Schlüssel dafür.`,
  },

  roleConsequence: (name, role) =>
    `${name} ist bisher ${role}. Die neue Rolle gilt sofort, für alle seine Schlüssel.`,

  remove: {
    ask: (name) => `${name} entfernen?`,
    consequence:
      'Seine Schlüssel werden sofort widerrufen, ebenso Schlüssel ohne Rolle, die es erstellt hat.',
    done: (name) => `${name} ist entfernt.`,
  },
};
