import type { MailTexts } from './en.ts';

export const de: MailTexts = {
  invitation: (of) => ({
    subject: `Einladung zu „${of.workspace}“ auf Waymark`,
    paragraphs: [
      `${of.inviter} lädt dich in den Arbeitsbereich „${of.workspace}“ auf Waymark ein.`,
      {
        text: `Um beizutreten, öffne diesen Link innerhalb von ${of.days} Tagen nach der Einladung. Er gilt einmal:`,
        link: of.link,
      },
      'Wenn du das nicht erwartest, tu nichts.',
    ],
  }),

  reset: (of) => ({
    subject: 'Dein Passwort für Waymark',
    paragraphs: [
      `Jemand, wahrscheinlich du, hat auf ${of.url} ein neues Passwort für dein Konto angefordert.`,
      {
        text: `Um eines zu wählen, öffne diesen Link innerhalb von ${of.minutes} Minuten. Er gilt einmal:`,
        link: of.link,
      },
      'Wenn du das nicht warst, tu nichts: Dein Passwort bleibt, wie es ist.',
    ],
  }),

  noPassword: (of) => ({
    subject: 'Dein Passwort für Waymark',
    paragraphs: [
      'Jemand hat ein neues Passwort für dein Konto angefordert. Das Konto hat keines.',
      {
        text: of.provider ? `Melde dich stattdessen mit ${of.provider} an:` : 'Melde dich an wie bisher:',
        link: of.link,
      },
    ],
  }),

  confirmation: (of) => ({
    subject: 'Deine Adresse für Waymark',
    paragraphs: [
      `${of.name} möchte sich auf ${of.url} mit dieser Adresse anmelden.`,
      {
        text: `Um sie zu bestätigen, öffne diesen Link innerhalb von ${of.minutes} Minuten. Er gilt einmal:`,
        link: of.link,
      },
      'Wenn du das nicht warst, tu nichts.',
    ],
  }),

  addressTaken: (of) => ({
    subject: 'Deine Adresse für Waymark',
    paragraphs: [
      `Jemand möchte diese Adresse auf ${of.url} für ein anderes Konto benutzen. Zu dieser Adresse gibt es schon ein Konto.`,
      'Wenn du das warst, melde dich mit dieser Adresse an. Wenn nicht, tu nichts.',
    ],
  }),

  email_changed: (of) => ({
    subject: 'Deine Adresse für Waymark wurde geändert',
    paragraphs: [
      `Dein Konto auf ${of.url} hat jetzt eine andere E-Mail-Adresse.`,
      'Wenn du das nicht warst, kennt jemand dein Passwort: Wende dich sofort an den Betreiber dieser Installation.',
    ],
  }),

  passkey_added: (of) => ({
    subject: 'Ein neuer Passkey für Waymark',
    paragraphs: [
      `Deinem Konto auf ${of.url} wurde ein Passkey hinzugefügt: Wer ihn hat, kann sich anmelden.`,
      {
        text: 'Wenn du das nicht warst, kennt jemand dein Passwort. Ein neues entfernt alle Passkeys:',
        link: of.link,
      },
    ],
  }),

  passkey_removed: (of) => ({
    subject: 'Ein Passkey für Waymark wurde entfernt',
    paragraphs: [
      `Ein Passkey deines Kontos auf ${of.url} wurde entfernt.`,
      { text: 'Wenn du das nicht warst, kennt jemand dein Passwort. Wähle ein neues:', link: of.link },
    ],
  }),

  password_changed: (of) => ({
    subject: 'Dein Passwort für Waymark wurde geändert',
    paragraphs: [
      `Dein Konto auf ${of.url} hat ein neues Passwort.`,
      { text: 'Wenn du das nicht warst, wähle ein anderes. Es beendet alle Sitzungen:', link: of.link },
    ],
  }),

  totp_added: (of) => ({
    subject: 'Eine Authenticator-App für Waymark',
    paragraphs: [
      `Deinem Konto auf ${of.url} wurde eine Authenticator-App hinzugefügt: Dein Passwort gilt jetzt nur mit ihren Codes.`,
      'Wenn du das nicht warst, kennt jemand dein Passwort: Wende dich sofort an den Betreiber dieser Installation.',
    ],
  }),

  totp_removed: (of) => ({
    subject: 'Die Authenticator-App für Waymark wurde entfernt',
    paragraphs: [
      `Die Authenticator-App deines Kontos auf ${of.url} wurde entfernt: Dein Passwort gilt wieder ohne Code.`,
      { text: 'Wenn du das nicht warst, kennt jemand dein Passwort. Wähle ein neues:', link: of.link },
    ],
  }),

  somebody: 'Jemand',
  dailySubject: (count) => `Dein Tag auf Waymark: ${count} ungelesen`,
  noTitle: 'Benachrichtigung',
  keyExpires: (name) => `API-Schlüssel „${name}“ läuft bald ab`,
  expiresOn: (date) => `läuft am ${date} ab`,
  toInbox: 'Alles, was dich betrifft:',
  more: (count) => `Und ${count} weitere in deinem Eingang:`,
  endKind: 'Keine solchen Mails mehr erhalten:',
  endDaily: 'Keine täglichen Mails mehr erhalten:',
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
    key_expiring: () => 'Ein API-Schlüssel läuft bald ab, und was ihn benutzt, arbeitet dann nicht mehr',
    endpoint_failing: () => 'Ein Webhook-Endpunkt antwortet mit Fehlern',
    endpoint_disabled: () => 'Ein Webhook-Endpunkt wurde deaktiviert',
  },
};
