import type { authorizeTexts } from '../authorize.ts';

export const authorize: typeof authorizeTexts = {
  title: 'Programm verbinden',
  asks: (name) => `Ein Programm, das sich „${name}“ nennt, will Waymark in deinem Namen benutzen.`,
  publishedBy: (host) => `Das steht bei ${host}.`,
  registered: 'Es hat sich selbst angemeldet. Das kann jeder, unter jedem Namen.',
  returns: (host) =>
    `Du kehrst zu ${host} zurück. Fahre nur fort, wenn du dieses Programm gerade verbunden hast und die Adresse kennst.`,
  returnsToProgram: (scheme) =>
    `Du kehrst zu dem Programm auf diesem Rechner zurück, das Adressen mit ${scheme} öffnet. Niemand prüft, welches das ist. Fahre nur fort, wenn du dieses Programm gerade verbunden hast.`,
  workspace: 'Arbeitsbereich',
  may: 'Es darf',
  read: 'lesen',
  write: 'lesen und schreiben, soweit du es darfst',
  lasts:
    'Der Zugriff endet, wenn es ihn 30 Tage nicht benutzt, spätestens nach 180 Tagen. Du kannst es auf der Seite „Konto“ trennen.',
  allow: 'Verbinden',
  decline: 'Ablehnen',
  invalid:
    'Diese Adresse ist nicht vollständig oder kommt nicht von einem Programm, das fragen darf. Nichts wurde erlaubt.',
};
