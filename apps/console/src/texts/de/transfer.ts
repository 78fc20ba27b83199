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
      'Importiert einen exportierten Arbeitsbereich (JSON) oder Entscheidungen in Markdown (ZIP). Vorhandene Datensätze bleiben unverändert. Nur wenn die ganze Datei gültig ist, wird etwas gespeichert.',
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

  report: {
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
    },
  },
};
