import type { appTexts } from '../app.ts';
import { plural } from '../format.ts';

export const app: typeof appTexts = {
  skip: 'Zum Inhalt springen',
  offline: 'Offline. Was du schreibst, bleibt in diesem Browser; Seiten laden, sobald du online bist.',
  limited: (seconds) => `Dein Limit ist erreicht. Die Seite lädt in ${seconds} s von selbst.`,
  workspace: 'Arbeitsbereich',
  workspaces: 'Arbeitsbereiche',
  newWorkspace: 'Neuer Arbeitsbereich',
  openNavigation: 'Navigation öffnen',
  closeNavigation: 'Navigation schließen',
  lightColors: 'Helle Farben verwenden',
  darkColors: 'Dunkle Farben verwenden',

  pages: {
    'my-work': 'Meine Arbeit',
    decisions: 'Entscheidungen',
    workflows: 'Workflows',
    insight: 'Auswertung',
    transfer: 'Export und Import',
    webhooks: 'Webhooks',
    audit: 'Audit-Log',
    trash: 'Papierkorb',
    settings: 'Einstellungen',
  },
  user: {
    menu: (name) => `Konto von ${name}`,
    account: 'Konto und Sitzungen',
    compactRows: 'Kompakte Zeilen',
    signOut: 'Abmelden',
    discard: (drafts) =>
      plural(drafts, { one: 'Deinen Entwurf verwerfen?', other: 'Deine # Entwürfe verwerfen?' }),
    discardHint:
      'Dieser Browser bewahrt auf, was du eingegeben und nicht gespeichert hast. Beim Abmelden wird es gelöscht.',
    discardAct: 'Verwerfen und abmelden',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    nothing: 'Unter dieser Adresse gibt es nichts',
    hint: 'Vielleicht wurde die Seite gelöscht, oder sie gehört zu einem Arbeitsbereich, in dem du kein Mitglied bist.',
    home: 'Zu deinem Arbeitsbereich',
  },
};
