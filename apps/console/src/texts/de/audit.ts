import type { auditTexts } from '../audit.ts';
import { number, plural, rich } from '../format.ts';

export const audit: typeof auditTexts = {
  title: 'Audit-Log',
  download: 'Audit-Log',
  exportEntries: 'NDJSON exportieren',
  exportHint: 'NDJSON: ein Eintrag in jeder Zeile, als JSON',
  planFeature: 'Audit-Logs',
  planReason: 'Jede Änderung steht in einer Hash-Kette, die spätere Manipulation aufdeckt.',
  noMatch: 'Kein Eintrag passt zu den Filtern.',
  empty: 'Noch ist nichts geschehen',
  emptyHint: 'Jede Änderung und jeder Export fügt einen Eintrag hinzu, der nicht entfernt werden kann.',

  columns: ['Nr.', 'Zeit', 'Was geschah', 'Adresse', 'Aktionen'],
  details: 'Einzelheiten',
  detailsOf: (seq) => `Einzelheiten zu Eintrag ${seq}`,
  someFields: 'Angaben',
  itsEntries: 'seine Einträge',
  only: {
    actor: 'Nur dieser Akteur',
    action: 'Nur diese Aktion',
    record: 'Nur dieser Datensatz',
    address: 'Nur diese Adresse',
  },

  filters: 'Einträge filtern',
  action: 'Aktion',
  kind: 'Art des Datensatzes',
  actor: 'Akteur',
  from: 'Von',
  to: 'Bis',
  everyRecord: 'Einträge aller Datensätze',
  everyAddress: 'Einträge von allen Adressen',
  showAll: 'Alle zeigen',

  actors: {
    api_key: 'Ein Schlüssel',
    service_account: 'Ein Dienstkonto',
    session: 'Ein Benutzer',
    service: 'Waymark',
    anonymous: 'Jemand',
  },
  erasedActor: (kind) => `${kind} (gelöscht)`,
  via: (through) => `über ${through === 'mcp' ? 'MCP' : through}`,

  anyone: 'alle mit dem Link',
  somebody: 'jemanden',

  changes: 'Was geändert wurde',
  recordId: 'ID des Datensatzes',
  request: 'Anfrage',
  address: 'Adresse',
  program: 'Programm',
  hash: 'Hash',
  hashBefore: 'Hash davor',
  none: 'keine Angabe',
  withheld: 'für Admins und Eigentümer sichtbar',
  changesErased: 'Die Einzelheiten wurden gelöscht.',
  changesWithheld: 'Was geändert wurde, ist für Admins und Eigentümer sichtbar.',
  unchanged: 'Kein Feld wurde geändert.',

  verify: 'Kette prüfen',
  verifyHint:
    'Berechnet jeden Hash vom ersten Eintrag an neu und vergleicht den letzten mit dem Kopf, den Waymark signiert hat.',
  verifying: 'Die Kette wird geprüft',
  stopped: (events, since) =>
    rich`Die Kette nimmt seit ${since} keine Einträge an; ${plural(events, {
      one: '# Ereignis wartet',
      other: '# Ereignisse warten',
    })}, bis der Betreiber sie fortsetzt.`,
  broken: 'Die Kette ist beschädigt',
  brokenAt: (seq) => `Die Kette ist bei Eintrag ${seq} beschädigt`,
  brokenHint: (reason, entries) =>
    `${reason}. ${plural(entries, {
      one: '# Eintrag davor ist gültig',
      other: '# Einträge davor sind gültig',
    })}. Bewahre einen Export auf und sage es dem Betreiber dieser Installation.`,
  valid: 'Die Kette ist gültig',
  validWithGaps: 'Die Kette ist gültig, hat aber Lücken',
  asWritten: (entries) =>
    plural(entries, {
      one: 'Ihr einziger Eintrag ist unverändert.',
      other: 'Alle # Einträge sind unverändert.',
    }),
  erased: (entries) =>
    plural(entries, {
      one: 'Die persönlichen Angaben von # Eintrag wurden gelöscht.',
      other: 'Die persönlichen Angaben von # Einträgen wurden gelöscht.',
    }),
  gap: (from, to, resumed) =>
    rich`Die Einträge ${number(from)} bis ${number(to)} sind nicht belegt: Sie gingen verloren oder wurden verändert. Ein Betreiber hat die Kette fortgesetzt: ${resumed}.`,
  head: (seq, hash) =>
    rich`Kopf: Eintrag ${seq}, ${hash}. Bewahre ihn auf: Ein späterer Export muss ihn enthalten.`,
};
