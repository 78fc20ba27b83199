import { number, plural, rich } from '../format.ts';
import type { webhooksTexts } from '../webhooks.ts';

export const webhooks: typeof webhooksTexts = {
  title: 'Webhooks',
  empty: 'Noch keine Webhook-Endpunkte',
  emptyHint:
    'Ein Endpunkt ist eine URL von dir, die Ereignisse empfängt. Jedes Ereignis ist ein signierter POST, der nach einem Fehler wiederholt wird. Du kannst es von hier aus erneut senden.',
  columns: ['Endpunkt', 'Status', 'Ereignisse', 'Erstellt'],
  eventKinds: (count) => plural(count, { one: '# Art', other: '# Arten' }),
  states: {
    enabled: 'aktiv',
    failing: 'fehlerhaft',
    disabled: {
      user: 'deaktiviert',
      gone: 'deaktiviert: antwortete mit 410',
      failing: 'deaktiviert: fünf Tage lang Fehler',
    },
  },

  endpoint: {
    title: 'Webhook-Endpunkt',
    all: 'Alle Endpunkte',
    receives: (events) => `Erhält ${events}.`,
    rotating: (until) => rich`Das Geheimnis wird gerade ersetzt: Bis ${until} signieren beide.`,
  },

  new: {
    title: 'Endpunkt hinzufügen',
    add: 'Endpunkt hinzufügen',
    note: 'Damit prüft dein Endpunkt, dass eine Anfrage von Waymark kommt und aktuell ist.',
  },
  edit: { title: 'Endpunkt bearbeiten', done: 'Der Endpunkt ist geändert.' },
  form: {
    address: 'Adresse',
    description: 'Beschreibung',
    maxPerSecond: 'Höchstens pro Sekunde',
    maxPerSecondHint: 'Leer: das Limit dieser Installation',
    noEvents: 'Wähle mindestens ein Ereignis',
  },
  events: {
    title: 'Ereignisse',
    loading: 'Die Ereignisse werden geladen',
    chosen: (chosen, all) => `${number(chosen)} von ${number(all)} ausgewählt`,
    find: 'Ereignis suchen',
    noMatch: 'Kein Ereignis passt.',
    allOf: (count) => `Alle ${number(count)}`,
  },

  enable: { act: 'Aktivieren', done: 'Der Endpunkt ist aktiviert.' },
  disable: {
    act: 'Deaktivieren',
    ask: 'Diesen Endpunkt deaktivieren?',
    consequence:
      'Ereignisse werden solange zurückgehalten. Um sie zu senden, aktiviere den Endpunkt und sende sie erneut.',
    done: 'Der Endpunkt ist deaktiviert.',
  },
  delete: {
    ask: 'Diesen Endpunkt löschen?',
    consequence:
      'Er empfängt keine Ereignisse mehr. Ausstehende Zustellungen werden abgebrochen, und seine Zustellungen werden nicht mehr angezeigt.',
    done: 'Der Endpunkt ist gelöscht.',
  },

  test: {
    title: 'Test senden',
    event: 'Ereignis',
    eventHint: 'Der Inhalt eines Ereignisses ist ein Beispiel, mit "test": true',
    send: 'Senden',
    sent: 'Der Test wurde gesendet. Er erscheint unter den Zustellungen.',
  },

  secret: {
    name: 'Signaturgeheimnis',
    verify: 'Zustellungen empfangen und prüfen',
    rotate: 'Geheimnis erneuern',
    title: 'Geheimnis erneuern',
    hint: 'Erstellt ein neues Geheimnis. 24 Stunden lang signieren beide, damit du deinen Endpunkt umstellen kannst, ohne Ereignisse zu verlieren.',
    create: 'Neues Geheimnis erstellen',
    note: 'Das alte Geheimnis signiert X-Waymark-Signature noch 24 Stunden oder bis du das neue übernimmst; webhook-signature signieren solange beide.',
    promoteHint:
      'Es gibt ein neues Geheimnis, und beide signieren. Übernimm es, sobald dein Endpunkt es verwendet; das alte signiert dann nicht mehr.',
    promote: 'Neues Geheimnis übernehmen',
    promoted: 'Ab jetzt signiert nur noch das neue Geheimnis.',
  },
};
