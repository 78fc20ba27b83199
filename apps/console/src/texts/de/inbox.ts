import { plural } from '../format.ts';
import type { inboxTexts } from '../inbox.ts';

export const inbox: typeof inboxTexts = {
  title: 'Eingang',
  open: (unread) =>
    unread === 0 ? 'Eingang' : plural(unread, { one: 'Eingang, 1 ungelesen', other: 'Eingang, # ungelesen' }),
  keys: 'j und k wechseln zwischen den Zeilen, Enter öffnet eine, e markiert sie als gelesen oder ungelesen.',
  onlyUnread: 'Nur ungelesene',
  readAll: 'Alle als gelesen markieren',
  markRead: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  mute: 'Stummschalten',
  snooze: 'Später',
  snoozes: { hour: 'In einer Stunde', tomorrow: 'Morgen früh', week: 'In einer Woche' },
  nothing: 'Nichts wartet auf dich',
  nothingHint:
    'Hier erfährst du von Antworten an dich, von dem, was dir zugewiesen ist, von fälligen Terminen und von Änderungen an dem, was du beobachtest.',
  somebody: 'Jemand',
  kinds: {
    mention: (who) => `${who} hat dich erwähnt`,
    reply: (who) => `${who} hat eine Nachricht geschrieben`,
    assignment: (who) => `${who} hat dich eingetragen`,
    change: (who) => `${who} hat geändert, was du beobachtest`,
    approval_requested: (who) => `${who} bittet um deine Zustimmung`,
    approval_voided: (who) => `${who} hat den Text nach deiner Stellungnahme geändert`,
    outcome_overdue: () => 'Das Ergebnis einer Entscheidung ist fällig',
    review_due: () => 'Die Überprüfung einer Entscheidung ist fällig',
    import_finished: () => 'Dein Import ist beendet',
    key_expiring: () => 'Ein API-Schlüssel läuft bald ab',
    endpoint_failing: () => 'Ein Webhook-Endpunkt antwortet mit Fehlern',
    endpoint_disabled: () => 'Ein Webhook-Endpunkt wurde deaktiviert',
  },
  records: {
    workspace: 'Arbeitsbereich',
    decision: 'Entscheidung',
    workflow: 'Workflow',
    node: 'Knoten',
    import: 'Import',
    api_key: 'API-Schlüssel',
    webhook: 'Webhook-Endpunkt',
  },
  watch: {
    label: 'Benachrichtigungen',
    concerning: 'Was mich betrifft',
    everything: 'Jede Änderung und Nachricht',
    nothing: 'Nichts',
    ofWorkflow: 'Benachrichtigungen zu diesem Workflow',
  },
  subscriptions: {
    title: 'Was du beobachtest und stummgeschaltet hast',
    columns: ['Eintrag', 'Art', 'Arbeitsbereich', 'Benachrichtigungen', 'Aktionen'],
    end: { watch: 'Nicht mehr beobachten', mute: 'Nicht mehr stummschalten' },
    endOf: (act, name) => `${act}: ${name}`,
    ended: {
      watch: (name) => `Du beobachtest „${name}“ nicht mehr.`,
      mute: (name) => `„${name}“ ist nicht mehr stummgeschaltet.`,
    },
    hint: 'Ein Eintrag ohne eigene Wahl folgt seinem Workflow, dann seinem Arbeitsbereich. Sonst erfährst du, was dich betrifft.',
    none: 'Du beobachtest nichts und hast nichts stummgeschaltet. Jeder Eintrag hat die Wahl auf seiner Seite.',
  },
};
