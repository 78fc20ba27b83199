import type { apiKeysTexts } from '../api-keys.ts';
import { rich } from '../format.ts';

export const apiKeys: typeof apiKeysTexts = {
  planReason: 'Mit einem Schlüssel können Programme Entscheidungen erfassen und lesen.',
  empty: 'Noch keine API-Schlüssel',
  emptyHint:
    'Programme weisen sich mit einem Schlüssel dieses Arbeitsbereichs aus. Gib jedem Programm einen eigenen, damit du einen ohne die anderen widerrufen kannst.',
  columns: ['Name', 'Status', 'Darf', 'Zuletzt benutzt', 'Erstellt', 'Aktionen'],
  states: { revoked: 'widerrufen', expired: 'abgelaufen', replaced: 'ersetzt', active: 'aktiv' },
  until: (time) => rich`bis ${time}`,
  may: { read: 'Lesen', write: 'Lesen und schreiben' },
  settings: (time) => rich`bis ${time} auch Einstellungen ändern`,
  from: (addresses) => `von ${addresses}`,

  key: 'API-Schlüssel',
  firstCall: 'Erster Aufruf',

  new: {
    start: 'Schlüssel erstellen',
    title: 'API-Schlüssel erstellen',
    create: 'Schlüssel erstellen',
    nameHint: 'Das Programm, das den Schlüssel verwendet; im Audit-Log sichtbar',
    may: 'Er darf',
    read: 'Lesen',
    write: 'Lesen und schreiben',
    validFor: 'Gültig für',
    lifetimes: { 30: '30 Tage', 90: '90 Tage', 365: 'Ein Jahr', '': 'Bis zum Widerruf' },
    addresses: 'Erlaubte Adressen',
    addressesHint: 'IP-Adressen oder Blöcke wie 203.0.113.0/24, eine pro Zeile; leer erlaubt jede Adresse',
    note: 'Bewahre ihn dort auf, wo das Programm seine Geheimnisse hat. Hier wird nur sein Hash gespeichert.',
  },

  revoke: {
    act: 'Widerrufen',
    ask: (name) => `${name} widerrufen?`,
    consequence:
      'Programme, die ihn verwenden, werden sofort abgewiesen. Ein widerrufener Schlüssel kann nicht wiederhergestellt werden.',
    done: (name) => `${name} ist widerrufen.`,
  },

  rotate: {
    act: 'Erneuern',
    of: (name) => `${name} erneuern`,
    hint: 'Ein neuer Schlüssel mit denselben Rechten ersetzt ihn.',
    overlap: 'Wie lange der alte Schlüssel noch gilt',
    overlaps: { 0: 'Er wird sofort ungültig', 3600: 'Eine Stunde', 86400: 'Einen Tag', 604800: 'Eine Woche' },
    note: 'Ersetze den alten Schlüssel durch diesen. Der alte wird am Ende der Übergangszeit ungültig.',
  },
};
