import { plural, rich } from '../format.ts';
import type { workspaceSettingsTexts } from '../workspace-settings.ts';

const plans: typeof workspaceSettingsTexts.plan.plans = {
  free: { name: 'Free', about: 'Alles außer API-Schlüsseln und Audit-Log' },
  pro: { name: 'Pro', about: 'Dasselbe wie Free: Waymark selbst unterscheidet die beiden nicht' },
  business: { name: 'Business', about: 'Zusätzlich API-Schlüssel und Audit-Log' },
  enterprise: {
    name: 'Enterprise',
    about: 'Business mit dreimal so vielen Anfragen pro Schlüssel und zehnmal so vielen pro Arbeitsbereich',
  },
};

export const workspaceSettings: typeof workspaceSettingsTexts = {
  roleIn: (role, workspace) =>
    `Deine Rolle in ${workspace}: ${role}. Eigentümer und Admins ändern die Einstellungen.`,
  renamed: (name) => `Der Arbeitsbereich heißt jetzt ${name}.`,
  idOf: (id) => `ID des Arbeitsbereichs, wie Programme ihn nennen: ${id}`,

  new: {
    title: 'Neuer Arbeitsbereich',
    nameHint:
      'Ein Team, ein Produkt oder eine Firma: Die Mitglieder teilen Entscheidungen, Workflows und Schlüssel',
    create: 'Arbeitsbereich erstellen',
  },

  plan: {
    title: 'Tarif',
    choose: 'Tarif dieses Arbeitsbereichs',
    plans,
    change: 'Tarif ändern',
    changed: (plan) => `Der Arbeitsbereich hat jetzt den Tarif ${plans[plan].name}.`,
    askToLoseKeys: 'Zu einem Tarif ohne API-Schlüssel wechseln?',
    loseKeysHint:
      'Programme, die einen Schlüssel dieses Arbeitsbereichs verwenden, werden sofort abgewiesen, bis der Tarif wieder wechselt.',
    hint: 'Eine Änderung gilt sofort.',
    operatorChanges: 'Der Betreiber dieser Installation kann den Tarif ändern.',
    ownerChanges: 'Ein Eigentümer des Arbeitsbereichs kann den Tarif ändern.',
  },

  secondFactor: {
    title: 'Zweiter Faktor',
    isRequired:
      'Mitglieder brauchen einen Passkey oder zum Passwort einen Code, um diesen Arbeitsbereich zu nutzen.',
    isNotRequired: 'Mitglieder können diesen Arbeitsbereich mit ihrem Passwort allein nutzen.',
    hint: 'API-Schlüssel, Dienstkonten und Kalenderadressen sind nicht betroffen.',
    require: 'Zweiten Faktor verlangen',
    release: 'Nicht mehr verlangen',
    yoursFirst: (account) =>
      rich`Um dies zu ändern, melde dich selbst mit einem zweiten Faktor an; du fügst ihn in ${account} hinzu.`,
    account: 'deinem Konto',
  },

  quality: {
    title: 'Qualitätswert',
    label: 'Modell',
    models: { 'dq-1': 'dq-1: zählt Zeichen', 'dq-2': 'dq-2: zählt verschiedene Wörter, in jeder Sprache' },
    isChanged: 'Neue und geänderte Entscheidungen werden ab jetzt mit diesem Modell bewertet.',
    hint: 'Andere Entscheidungen behalten ihren Wert und ihr Modell.',
    about: 'Wie der Wert entsteht',
  },

  forecasts: {
    title: 'Prognosen',
    label: 'Prognosen anderer verbergen, bis man die eigene abgegeben hat',
    areHidden: 'Prognosen anderer sind jetzt verborgen.',
    areShown: 'Alle sehen jetzt alle Prognosen.',
    hint: 'Wer die Prognosen anderer sieht, richtet sich danach. Ist das Ergebnis erfasst, sehen alle alle.',
    about: 'Über Prognosen',
  },

  approvals: {
    title: 'Zustimmung zu Entscheidungen',
    none: 'Entscheidungen brauchen keine Zustimmung.',
    rule: (number) => `Regel ${number}`,
    type: 'Typ der Entscheidungen',
    typeHint: 'Leer für alle Typen ohne eigene Regel',
    count: 'Nötige Zustimmungen',
    role: 'Von Mitgliedern mindestens mit der Rolle',
    members: 'Nur von diesen Mitgliedern; von allen mit der Rolle, wenn keines gewählt ist',
    mode: 'Ohne die Zustimmungen',
    modes: {
      advisory: 'zeigt die Entscheidung, was fehlt',
      enforced: 'lässt sich die Entscheidung nicht annehmen',
    },
    authorCounts: 'Wer den Text zuletzt geändert hat, zählt mit',
    add: 'Regel hinzufügen',
    remove: (number) => `Regel ${number} entfernen`,
    save: 'Regeln speichern',
    saved: 'Die Regeln sind gespeichert.',
    hint: 'Eine Änderung gilt sofort, auch für Entscheidungen, die auf Zustimmung warten.',
  },

  retention: {
    title: 'Aufbewahrung der Daten',
    unlimited: 'Einträge des Audit-Logs bleiben, solange es den Arbeitsbereich gibt.',
    days: (days) =>
      plural(days, {
        one: 'Einträge des Audit-Logs werden nach # Tag entfernt.',
        other: 'Einträge des Audit-Logs werden nach # Tagen entfernt.',
      }),
    others:
      'Abgeschlossene Webhook-Zustellungen werden nach 30 Tagen entfernt, sofern der Betreiber keine andere Frist festgelegt hat. Entscheidungen, Workflows und Nachrichten bleiben, bis jemand sie löscht.',
    hint: 'Das legt der Betreiber dieser Installation fest (AUDIT_RETENTION_DAYS).',
  },

  leave: {
    title: 'Diesen Arbeitsbereich verlassen',
    hint: 'Deine Inhalte bleiben; die API-Schlüssel, die du erstellt hast, werden widerrufen.',
    start: 'Arbeitsbereich verlassen',
    ask: (name) => `${name} verlassen?`,
    consequence: 'Du verlierst den Zugang sofort. Für eine Rückkehr brauchst du eine Einladung.',
    act: 'Verlassen',
  },

  delete: {
    title: 'Diesen Arbeitsbereich löschen',
    hint: 'Damit werden auch Entscheidungen, Workflows, Diskussionen, Webhooks, Schlüssel und Audit-Log für alle gelöscht.',
    start: 'Arbeitsbereich löschen',
    ask: (name) => `${name} löschen?`,
    consequence:
      'Das kann nicht rückgängig gemacht werden. Ein vorher erstellter Export kann anderswo importiert werden.',
    typeName: (name) => `Gib zur Bestätigung ${name} ein`,
    confirm: 'Endgültig löschen',
    done: (name) => `${name} wurde gelöscht.`,
  },
};
