import { number, rich } from '../format.ts';
import type { limitsTexts } from '../limits.ts';

export const limits: typeof limitsTexts = {
  about: (resetsAt) =>
    rich`Anfragen pro Minute. Eine Anfrage mit einem Schlüssel zählt für den Schlüssel und für den Arbeitsbereich. Die aktuelle Minute endet am ${resetsAt}.`,
  workspace: 'Der Arbeitsbereich, alle Schlüssel zusammen',
  oneKey: 'Ein Schlüssel',
  chooseKey: 'Schlüssel auswählen',
  key: 'Dieser Schlüssel',
  session: 'Du, in der Konsole',

  buckets: { read: 'Lesezugriffe', mutation: 'Änderungen', export: 'Exporte' },
  usedUp: 'ausgeschöpft',
  usedOf: (used, limit) => `${number(used)} von ${number(limit)} in dieser Minute`,
  usedThisMinute: (bucket) => `${bucket} in dieser Minute`,

  lastHour: (bucket) => `${bucket} nach Minute in der letzten Stunde`,
  unit: 'Anfragen pro Minute',
  minute: 'Minute',
  used: 'verbraucht',
  nearLimit: 'verbraucht, nahe am Limit',
  limit: 'das Limit',
};
