import type { MailTexts } from './en.ts';

export const de: MailTexts = {
  invitation: (of) => ({
    subject: `Einladung zu „${of.workspace}“ auf Waymark`,
    paragraphs: [
      `${of.inviter} lädt Sie in den Workspace „${of.workspace}“ auf Waymark ein.`,
      {
        text: `Um beizutreten, öffnen Sie diesen Link innerhalb von ${of.days} Tagen nach der Einladung. Er gilt einmal:`,
        link: of.link,
      },
      'Wenn Sie das nicht erwarten, tun Sie nichts.',
    ],
  }),

  reset: (of) => ({
    subject: 'Ihr Passwort für Waymark',
    paragraphs: [
      `Jemand, wahrscheinlich Sie, hat auf ${of.url} ein neues Passwort für Ihr Konto angefordert.`,
      {
        text: `Um eines zu wählen, öffnen Sie diesen Link innerhalb von ${of.minutes} Minuten. Er gilt einmal:`,
        link: of.link,
      },
      'Wenn Sie das nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
    ],
  }),

  noPassword: (of) => ({
    subject: 'Ihr Passwort für Waymark',
    paragraphs: [
      'Jemand hat ein neues Passwort für Ihr Konto angefordert. Das Konto hat keines.',
      {
        text: of.provider
          ? `Melden Sie sich stattdessen mit ${of.provider} an:`
          : 'Melden Sie sich an wie bisher:',
        link: of.link,
      },
    ],
  }),

  confirmation: (of) => ({
    subject: 'Ihre Adresse für Waymark',
    paragraphs: [
      `${of.name} möchte sich auf ${of.url} mit dieser Adresse anmelden.`,
      {
        text: `Um sie zu bestätigen, öffnen Sie diesen Link innerhalb von ${of.minutes} Minuten. Er gilt einmal:`,
        link: of.link,
      },
      'Wenn Sie das nicht waren, tun Sie nichts.',
    ],
  }),

  addressTaken: (of) => ({
    subject: 'Ihre Adresse für Waymark',
    paragraphs: [
      `Jemand möchte diese Adresse auf ${of.url} für ein anderes Konto benutzen. Sie hat schon ein Konto.`,
      'Wenn Sie das waren, melden Sie sich mit dieser Adresse an. Wenn nicht, tun Sie nichts.',
    ],
  }),

  email_changed: (of) => ({
    subject: 'Ihre Adresse für Waymark wurde geändert',
    paragraphs: [
      `Ihr Konto auf ${of.url} hat jetzt eine andere E-Mail-Adresse.`,
      'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Wenden Sie sich sofort an den Betreiber dieser Installation.',
    ],
  }),

  passkey_added: (of) => ({
    subject: 'Ein neuer Passkey für Waymark',
    paragraphs: [
      `Ihrem Konto auf ${of.url} wurde ein Passkey hinzugefügt: Wer ihn hat, kann sich anmelden.`,
      {
        text: 'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Ein neues entfernt alle Passkeys:',
        link: of.link,
      },
    ],
  }),

  passkey_removed: (of) => ({
    subject: 'Ein Passkey für Waymark wurde entfernt',
    paragraphs: [
      `Ein Passkey Ihres Kontos auf ${of.url} wurde entfernt.`,
      { text: 'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Wählen Sie ein neues:', link: of.link },
    ],
  }),

  password_changed: (of) => ({
    subject: 'Ihr Passwort für Waymark wurde geändert',
    paragraphs: [
      `Ihr Konto auf ${of.url} hat ein neues Passwort.`,
      { text: 'Wenn Sie das nicht waren, wählen Sie ein anderes. Es beendet alle Sitzungen:', link: of.link },
    ],
  }),

  totp_added: (of) => ({
    subject: 'Eine Authenticator-App für Waymark',
    paragraphs: [
      `Ihrem Konto auf ${of.url} wurde eine Authenticator-App hinzugefügt: Ihr Passwort gilt jetzt nur mit ihren Codes.`,
      'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Wenden Sie sich sofort an den Betreiber dieser Installation.',
    ],
  }),

  totp_removed: (of) => ({
    subject: 'Die Authenticator-App für Waymark wurde entfernt',
    paragraphs: [
      `Die Authenticator-App Ihres Kontos auf ${of.url} wurde entfernt: Ihr Passwort gilt wieder ohne Code.`,
      { text: 'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Wählen Sie ein neues:', link: of.link },
    ],
  }),

  somebody: 'Jemand',
  dailySubject: (count) => `Ihr Tag auf Waymark: ${count} ungelesen`,
  noTitle: 'Benachrichtigung',
  keyExpires: (name) => `API-Schlüssel „${name}“ läuft bald ab`,
  expiresOn: (date) => `läuft am ${date} ab`,
  toInbox: 'Alles, was Sie betrifft:',
  more: (count) => `Und ${count} weitere in Ihrem Posteingang:`,
  endKind: 'Keine solchen Mails mehr erhalten:',
  endDaily: 'Keine täglichen Mails mehr erhalten:',
  kinds: {
    mention: (who) => `${who} hat Sie erwähnt`,
    reply: (who) => `${who} hat eine Nachricht geschrieben`,
    assignment: (who) => `${who} hat Sie eingetragen`,
    change: (who) => `${who} hat geändert, was Sie beobachten`,
    approval_requested: (who) => `${who} bittet um Ihre Zustimmung`,
    outcome_overdue: () => 'Das Ergebnis einer Entscheidung ist fällig',
    review_due: () => 'Die Überprüfung einer Entscheidung ist fällig',
    import_finished: () => 'Ihr Import ist beendet',
    key_expiring: () => 'Ein API-Schlüssel läuft bald ab, und was ihn benutzt, arbeitet dann nicht mehr',
    endpoint_failing: () => 'Ein Webhook-Endpunkt antwortet mit Fehlern',
    endpoint_disabled: () => 'Ein Webhook-Endpunkt wurde deaktiviert',
  },
};
