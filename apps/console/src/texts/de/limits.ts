import { number, rich } from '../format.ts';
import type { limitsTexts } from '../limits.ts';

export const limits: typeof limitsTexts = {
  about: (resetsAt) =>
    rich`Anfragen pro Minute. Eine Anfrage mit einem Schlüssel zählt für den Schlüssel und für den Arbeitsbereich. Die aktuelle Minute endet am ${resetsAt}. Jeder Balken ist eine Minute, die gestrichelte Linie das Limit; über 80 % davon ist der Balken rot.`,
  oneKey: 'Ein Schlüssel',
  chooseKey: 'Schlüssel auswählen',
  tiers: {
    workspace: 'der Arbeitsbereich, alle Schlüssel zusammen',
    key: 'dieser Schlüssel',
    session: 'du, in der Konsole',
  },
  columns: [
    'Anfragen',
    'In dieser Minute',
    'Meiste in einer Minute',
    'In der letzten Stunde',
    'Nach Minuten',
  ],

  buckets: { read: 'Lesezugriffe', mutation: 'Änderungen', export: 'Exporte' },
  usedUp: 'ausgeschöpft',
  usedOf: (used, limit) => `${number(used)} von ${number(limit)}`,
  usedThisMinute: (bucket) => `${bucket} in dieser Minute`,
};
