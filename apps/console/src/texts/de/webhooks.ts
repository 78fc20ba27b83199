import { number, plural, rich } from '../format.ts';
import type { webhooksTexts } from '../webhooks.ts';

const SUMMARIES: Record<string, string> = {
  'decision.created': 'Eine Entscheidung wurde erfasst',
  'decision.updated': 'Eine Entscheidung wurde geändert',
  'decision.deleted': 'Eine Entscheidung wurde mit ihren Ergebnissen und ihrer Diskussion gelöscht',
  'decision.outcome_logged': 'Ein Ergebnis außer „offen“ wurde für eine Entscheidung erfasst',
  'decision.exported': 'Die Entscheidungen wurden als CSV exportiert',
  'decision.approval_requested': 'Mitglieder wurden um Zustimmung zu einer Entscheidung gebeten',
  'decision.approved': 'Ein Mitglied hat dem Text einer Entscheidung zugestimmt',
  'decision.objected': 'Ein Mitglied hat dem Text einer Entscheidung widersprochen',
  'decision.forecast_given': 'Jemand hat eine Prognose zu einer Entscheidung abgegeben',
  'decision.abstained': 'Ein Mitglied hat sich enthalten',
  'decision.approval_voided': 'Eine Änderung des Textes ließ eine Stellungnahme verfallen',
  'decision.reviewed': 'Eine Entscheidung wurde überprüft',
  'decision.approval_rules_updated': 'Die Regeln für Zustimmungen wurden geändert',
  'calendar_feed.created': 'Ein Kalender-Feed wurde erstellt',
  'calendar_feed.revoked': 'Ein Kalender-Feed wurde widerrufen',
  'workflow.created': 'Ein Workflow wurde erstellt',
  'workflow.updated': 'Ein Workflow wurde geändert',
  'workflow.deleted': 'Ein Workflow wurde mit seinem Graphen gelöscht',
  'workflow.graph_replaced':
    'Der Graph eines Workflows wurde ersetzt; die Ereignisse nodes.* und edges.* enthalten die Änderungen',
  'node.created': 'Ein Knoten wurde hinzugefügt',
  'node.updated': 'Ein Knoten wurde geändert',
  'node.deleted': 'Ein Knoten wurde mit seinen Kanten und seiner Diskussion gelöscht',
  'nodes.created': 'Knoten wurden durch Ersetzen eines Graphen hinzugefügt',
  'nodes.updated': 'Knoten wurden durch Ersetzen eines Graphen geändert',
  'nodes.deleted': 'Knoten wurden mit ihrem Workflow oder durch Ersetzen seines Graphen gelöscht',
  'edge.created': 'Zwei Knoten wurden verbunden',
  'edge.deleted': 'Eine Kante wurde gelöscht',
  'edges.created': 'Kanten wurden durch Ersetzen eines Graphen hinzugefügt',
  'edges.updated': 'Bedingungen von Kanten wurden durch Ersetzen eines Graphen geändert',
  'edges.deleted':
    'Kanten wurden mit einem Knoten oder durch Ersetzen eines Graphen gelöscht; nicht gesendet, wenn ihr Workflow gelöscht wird',
  'thread.message_created': 'Eine Nachricht wurde zu einem Knoten oder einer Entscheidung geschrieben',
  'thread.message_updated': 'Eine Nachricht wurde bearbeitet',
  'thread.message_deleted': 'Eine Nachricht wurde gelöscht',
  'thread.message_resolved': 'Eine Nachricht wurde mit ihren Antworten als erledigt markiert',
  'thread.message_reopened': 'Eine erledigte Nachricht wurde wieder geöffnet, auch durch eine Antwort',
  'thread.reaction_added': 'Jemand hat auf eine Nachricht reagiert',
  'thread.reaction_removed': 'Jemand hat eine Reaktion zurückgenommen',
  'audit_log.exported': 'Das Audit-Log wurde exportiert',
  'workspace.exported': 'Der ganze Arbeitsbereich wurde exportiert',
  'workspace.exported_madr': 'Die Entscheidungen wurden als Markdown exportiert',
  'workspace.import_finished': 'Ein Import ist beendet',
  'workspace.updated': 'Ein Arbeitsbereich wurde umbenannt',
  'workspace.member_added': 'Ein Mitglied kam hinzu',
  'workspace.member_updated': 'Rolle oder Name eines Mitglieds wurde geändert',
  'workspace.member_removed': 'Ein Mitglied ging oder wurde entfernt',
  'invitation.created': 'Jemand wurde durch einen Link eingeladen',
  'invitation.revoked': 'Eine Einladung wurde widerrufen',
  'billing.plan_changed': 'Der Tarif des Arbeitsbereichs wurde geändert',
  'api_key.created': 'Ein API-Schlüssel wurde erstellt',
  'api_key.rotated': 'Ein API-Schlüssel wurde durch einen neuen ersetzt',
  'api_key.revoked': 'Ein API-Schlüssel wurde widerrufen',
  'service_account.created': 'Ein Dienstkonto wurde erstellt',
  'service_account.updated': 'Ein Dienstkonto wurde umbenannt oder seine Rolle geändert',
  'service_account.deleted': 'Ein Dienstkonto wurde mit seinen Schlüsseln gelöscht',
  'webhook.created': 'Ein Webhook-Endpunkt wurde hinzugefügt',
  'webhook.updated': 'Ein Webhook-Endpunkt wurde geändert',
  'webhook.deleted': 'Ein Webhook-Endpunkt wurde gelöscht',
  'webhook.secret_rotated':
    'Das Signaturgeheimnis eines Webhook-Endpunkts wurde ersetzt, oder das neue wurde übernommen',
  'webhook.disabled':
    'Ein Webhook-Endpunkt wurde deaktiviert, weil es ihn nicht mehr gibt oder er immer wieder Fehler meldet',
  'webhook.tested': 'Ein Test wurde an einen Webhook-Endpunkt gesendet',
  'webhook.replayed': 'Zustellungen an einen Webhook-Endpunkt wurden erneut gesendet',
  'delivery.replayed': 'Eine Zustellung wurde erneut gesendet',
};

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
    format: 'Sendet',
    formats: {
      waymark: 'JSON für ein Programm',
      slack: 'Nachrichten an Slack',
      teams: 'Nachrichten an Microsoft Teams',
      discord: 'Nachrichten an Discord',
    },
    addressHints: {
      waymark: '',
      slack: 'Unter api.slack.com/apps: deine App, Incoming Webhooks, Add New Webhook, Copy.',
      teams:
        'Beim Kanal in Teams: …, Workflows, die Vorlage für Webhook-Benachrichtigungen an einen Kanal; kopiere den Link.',
      discord: 'Beim Kanal in Discord: Kanal bearbeiten, Integrationen, Webhooks, Webhook-URL kopieren.',
    },
    chatHint:
      'Alle im Kanal lesen die Nachrichten. Von geänderten Entscheidungen erhält er die mit neuem Status, von Nachrichten die, die jemanden erwähnen.',
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
    summary: (type, english) => SUMMARIES[type] ?? english,
    allOf: (count) => `Alle ${number(count)}`,
  },

  enable: { act: 'Aktivieren', done: 'Der Endpunkt ist aktiviert.' },
  disable: {
    act: 'Deaktivieren',
    title: 'Diesen Endpunkt deaktivieren?',
    consequence:
      'Ereignisse werden solange zurückgehalten. Um sie zu senden, aktiviere den Endpunkt und sende sie erneut.',
    done: 'Der Endpunkt ist deaktiviert.',
  },
  delete: {
    title: 'Diesen Endpunkt löschen?',
    consequence:
      'Er empfängt keine Ereignisse mehr. Ausstehende Zustellungen werden abgebrochen, und seine Zustellungen werden nicht mehr angezeigt.',
    done: 'Der Endpunkt ist gelöscht.',
  },

  test: {
    title: 'Test senden',
    event: 'Ereignis',
    eventHint: 'Der Inhalt eines Ereignisses ist ein Beispiel, mit „test“: true',
    send: 'Senden',
    sent: 'Der Test wurde gesendet; der Endpunkt hat noch nicht geantwortet. Die Zustellungen zeigen seine Antwort.',
    answered: (status) => `Der Endpunkt hat mit ${status} geantwortet`,
    noAnswer: 'Der Endpunkt hat nicht geantwortet',
    retried:
      'Der Test wird wie jede fehlgeschlagene Zustellung von selbst wiederholt. Die Zustellungen zeigen jeden Versuch.',
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
