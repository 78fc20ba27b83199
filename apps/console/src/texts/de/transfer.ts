import { number, plural } from '../format.ts';
import type { transferTexts } from '../transfer.ts';

export const transfer: typeof transferTexts = {
  title: 'Export und Import',

  export: {
    title: 'Export',
    as: (format) => `${format} exportieren`,
    formats: {
      JSON: 'Der ganze Arbeitsbereich, für den Import.',
      CSV: 'Alle Entscheidungen als Tabelle, für ein Tabellenprogramm.',
      MADR: 'Alle Entscheidungen als Markdown-Dateien, in einem ZIP-Archiv.',
    },
  },

  import: {
    title: 'Import',
    forAdmins:
      'Eine Datei nennt die Autoren ihrer Datensätze, deshalb können nur Admins und Eigentümer dieses Arbeitsbereichs importieren.',
    about:
      'Importiert einen exportierten Arbeitsbereich (JSON), Entscheidungen in Markdown (ZIP) oder eine Tabelle mit Entscheidungen (CSV in UTF-8). Vorhandene Datensätze bleiben unverändert. Nur wenn die ganze Datei gültig ist, wird etwas gespeichert.',
    file: 'Datei',
    chooseFile: 'Datei auswählen',
    ids: 'IDs',
    keepIds: 'IDs der Datei behalten: Vorhandene Links funktionieren weiter',
    newIds: 'Neue IDs vergeben: Es entsteht eine Kopie',
    check: 'Datei prüfen',
    start: 'Jetzt importieren',
    sending: 'Die Datei wird gesendet',
    queued: 'Wartet auf den Beginn',
    phases: { reading: 'Gelesen', checking: 'Geprüft', writing: 'Gespeichert' },
    done: (phase, done) => `${phase}: ${plural(done, { one: '# Datensatz', other: '# Datensätze' })}`,
    doneOf: (phase, done, total) =>
      `${phase}: ${number(done)} von ${plural(total, { one: '# Datensatz', other: '# Datensätzen' })}`,
  },

  csv: {
    about: (rows) =>
      `${plural(rows, { one: '# Zeile', other: '# Zeilen' })}. Wähle, was jede Spalte ist. Tage schreibt man 2026-05-31 oder 31.05.2026; zwischen zwei Einträgen einer Liste steht ein Semikolon oder eine neue Zeile. Mit einer externen ID kann die nächste Datei dieselben Zeilen haben: Was schon da ist, bleibt, wie es ist.`,
    columns: 'Spalten der Datei',
    column: 'Spalte',
    example: 'Erster Wert',
    field: 'Wird zu',
    fieldOf: (heading, at) => `Spalte ${number(at)}, ${heading}, wird zu`,
    leaveOut: 'Weglassen',
    expected: {
      day: 'ist kein Tag wie 2026-05-31 oder 31.05.2026',
      word: (words) => `kann ${words} sein`,
    },
    needsTitle: 'Wähle die Spalte mit dem Titel oder der Frage.',
    unreadable: 'Diese Tabelle ist nicht lesbar',
    empty: 'Die Datei ist leer. Ihre erste Zeile nennt die Spalten.',
    headerOnly: 'Unter der ersten Zeile, die die Spalten nennt, hat die Datei keine weitere.',
    openQuote: (row) => `Ein Anführungszeichen in Zeile ${number(row)} ist nicht geschlossen.`,
    tooManyCells: (row, columns) =>
      `Zeile ${number(row)} hat mehr als ${number(columns)} Zellen. Setze eine Zelle mit einem Trennzeichen in Anführungszeichen.`,
    tooManyColumns: (most) => `Eine Tabelle kann ${number(most)} Spalten haben.`,
    tooManyRows: (most) => `Eine Tabelle kann ${number(most)} Zeilen haben. Importiere sie in Teilen.`,
    tooLarge: (mebibytes) => `Eine Tabelle kann ${number(mebibytes)} MiB haben. Importiere sie in Teilen.`,
    notUtf8: 'Die Datei ist nicht in UTF-8. Speichere sie im Tabellenprogramm als „CSV UTF-8“.',
  },

  report: {
    row: (row, field) => `Zeile ${number(row)}${field ? `, ${field}` : ''}`,
    importable: 'Die Datei kann importiert werden',
    imported: 'Die Datei ist importiert',
    stopped:
      'Der Import brach auf halbem Weg ab. Importiere dieselbe Datei noch einmal, um ihn fortzusetzen.',
    refused: 'Die Datei kann nicht importiert werden. Es wurde nichts gespeichert.',
    errors: 'Fehler',
    warnings: 'Warnungen',
    count: (title, count) => `${title} (${number(count)})`,
    more: (count) => `Und ${number(count)} weitere.`,
    noRecords: 'Keine Datensätze.',
    table: 'Datensätze der Datei',
    kind: 'Datensätze',
    total: 'In der Datei',
    stored: 'Gespeichert',
    present: 'Schon vorhanden',
    leftOut: 'Ausgelassen',
    kinds: {
      workflows: 'Workflows',
      nodes: 'Knoten',
      edges: 'Kanten',
      decisions: 'Entscheidungen',
      outcomes: 'Ergebnisse',
      approvals: 'Zustimmungen',
      forecasts: 'Prognosen',
      history: 'Verlauf',
      links: 'Verknüpfungen',
      threads: 'Diskussionen',
      messages: 'Nachrichten',
      approval_rules: 'Regeln für Zustimmungen',
    },
  },
};
