import { number } from '../format.ts';
import type { uiTexts } from '../ui.ts';

export const ui: typeof uiTexts = {
  save: 'Speichern',
  cancel: 'Abbrechen',
  delete: 'Löschen',
  edit: 'Bearbeiten',
  rename: 'Umbenennen',
  remove: 'Entfernen',
  add: 'Hinzufügen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  close: 'Schließen',
  undo: 'Rückgängig',
  dismiss: 'Schließen',
  back: 'Zurück',
  next: 'Weiter',
  tryAgain: 'Erneut versuchen',
  showMore: 'Mehr zeigen',
  loading: 'Wird geladen',
  goesOn:
    'Die Anfrage läuft weiter. Wird sie abgelehnt, steht es hier, und der Dialog hat deine Eingaben wieder.',

  name: 'Name',
  actions: 'Aktionen',
  more: 'Weitere Aktionen',
  moreOf: (title) => `Weitere Aktionen für ${title}`,
  all: 'Alle',
  never: 'nie',
  justNow: 'gerade eben',
  none: 'keine Angabe',

  search: 'Suche',
  ctrl: 'Strg',

  language: 'Sprache',
  documentation: 'Dokumentation',
  importedBy: (name) => `importiert von ${name ?? 'jemandem'}`,
  picture: 'Bild',
  togglePassword: 'Passwort anzeigen',
  footnotes: 'Fußnoten',
  footnoteBack: (number) => `Zurück zu Verweis ${number}`,

  step: (at, count, name) => `Schritt ${at} von ${count}: ${name}`,
  field: 'Feld',
  before: 'Vorher',
  after: 'Nachher',
  noneContains: 'Keine Treffer.',
  clear: (label) => `${label}: Auswahl aufheben`,
  newItems: (count) => `${number(count)} neu`,

  notLoaded: {
    title: 'Ein Teil von Waymark wurde nicht geladen',
    hint: 'Es wurde nichts geändert. Prüfe deine Verbindung, kopiere deine Eingaben und lade die Seite dann neu.',
    again: 'Neu laden',
  },
  problem: {
    correct: 'Korrigiere die markierten Felder.',
    copyRequest: 'Anfrage-ID kopieren',
    docs: 'Was das bedeutet',
    withRequest: (detail, requestId) => `${detail} (Anfrage ${requestId})`,
  },
  unsaved: {
    leave: 'Ohne Speichern verlassen?',
    leaveHint: 'Deine Eingaben hier sind nicht gespeichert. Wenn du die Seite verlässt, gehen sie verloren.',
    discard: 'Entwurf verwerfen?',
    discardHint: 'Nur dieser Browser kennt deine Eingaben. Er löscht sie.',
    act: 'Verwerfen',
    stay: 'Weiter bearbeiten',
  },
  chart: {
    asTable: 'Als Tabelle',
    empty: () => 'Keine Werte.',
    others: () => 'Alle anderen Werte sind 0.',
    image: (title) => `${title}; die Tabelle darunter enthält die Zahlen`,
  },
  download: {
    running: (name) => `Export läuft: ${name}`,
    progress: (name, size) => `Export läuft: ${name}, bisher ${size}`,
    saved: (file, size) => `${file} ist gespeichert (${size}).`,
  },
  secret: {
    title: (label) => `${label} jetzt kopieren: wird nicht noch einmal angezeigt`,
    done: 'Habe ich kopiert',
    leave: 'Schließen: habe ich kopiert',
    wait: 'Bitte offen lassen: Das Ergebnis erscheint hier, und nur einmal.',
  },
  snippet: {
    commands: (language) => `Befehle mit ${language}`,
    copy: (language) => `Für ${language} kopieren`,
    node: 'Node 22.18 oder neuer',
  },
};
