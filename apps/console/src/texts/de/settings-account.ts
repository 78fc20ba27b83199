import { plural, rich } from '../format.ts';
import type { settingsAccountTexts } from '../settings-account.ts';

export const settingsAccount: typeof settingsAccountTexts = {
  title: 'Konto',
  yourPassword: 'Dein Passwort',

  name: {
    change: 'Namen ändern',
    hint: 'Deine Arbeitsbereiche zeigen ihn und halten die Änderung in ihren Audit-Logs fest.',
    changed: (name) => `Dein Name ist jetzt ${name}.`,
  },

  language: {
    everywhere: 'Konsole und E-Mails',
    mails: 'Nur E-Mails',
    hint: 'Die Konsole ändert sich in diesem Browser, E-Mails an dich überall.',
  },

  mailRefused: 'Der Mailserver hat die letzte Mail an diese Adresse abgelehnt.',
  mail: {
    title: 'Benachrichtigungen per E-Mail',
    none: 'Diese Installation verschickt keine E-Mails. Im Eingang erfährst du alles.',
    hint: 'Nur was du nicht gelesen hast, kommt per E-Mail. Was über 20 Mails in einer Stunde hinausgeht, kommt in der täglichen.',
    change: 'Benachrichtigungen speichern',
    changed: 'Du bekommst E-Mails, wie du es gewählt hast.',
    timeZone: 'Zeitzone der täglichen Mail um 8:00',
    when: { atOnce: 'Sofort', daily: 'In der täglichen Mail', never: 'Nie' },
    kinds: {
      mention: 'Wenn dich jemand erwähnt',
      assignment: 'Knoten und Entscheidungen, die dich nennen',
      approval_requested: 'Bitten um deine Zustimmung',
      approval_voided: 'Änderungen eines Textes nach deiner Stellungnahme',
      reply: 'Nachrichten in deinen Diskussionen',
      outcome_overdue: 'Fällige Ergebnisse',
      review_due: 'Fällige Überprüfungen',
      key_expiring: 'API-Schlüssel, die bald ablaufen',
      change: 'Änderungen an dem, was du beobachtest',
      import_finished: 'Deine beendeten Importe',
      endpoint_failing: 'Webhook-Endpunkte mit Fehlern',
      endpoint_disabled: 'Deaktivierte Webhook-Endpunkte',
    },
  },

  sessions: {
    title: 'Sitzungen',
    columns: ['Browser', 'Adresse', 'Zuletzt gesehen', 'Aktionen'],
    unknownBrowser: 'Unbekannt',
    browserOn: (browser, system) => `${browser} auf ${system}`,
    unknownAddress: 'unbekannt',
    current: 'Diese Sitzung',
    end: 'Abmelden',
    endOf: (browser) => `${browser} abmelden`,
    askEnd: (browser) => `${browser} abmelden?`,
    endHint: 'Nicht gespeicherte Eingaben in diesem Browser gehen verloren.',
    hint: 'Abmelden beendet eine Sitzung sofort, auf welchem Gerät auch immer.',
    ended: 'Die Sitzung ist beendet.',
  },

  grants: {
    title: 'Verbundene Programme',
    columns: ['Programm', 'Arbeitsbereich', 'Darf', 'Zuletzt benutzt', 'Aktionen'],
    end: 'Trennen',
    endOf: (name) => `${name} trennen`,
    askEnd: (name) => `${name} trennen?`,
    endHint: 'Das Programm hat dann keinen Zugriff mehr, bis du ihn wieder erlaubst.',
    hint: 'Programme, die Waymark über den MCP-Server in deinem Namen benutzen. Trennen wirkt sofort.',
    ended: 'Das Programm ist getrennt.',
    none: 'Kein Programm ist verbunden.',
  },

  app: {
    title: 'Authenticator-App',
    hint: 'Dein Passwort meldet dann nur noch mit einem Code der App an. Alle anderen Sitzungen enden.',
    noPassword:
      'Single Sign-on verlangt hier keinen Code. Setze zuerst ein Passwort, um eine App hinzuzufügen.',
    added: (when) => rich`Dein Passwort meldet mit einem Code der App an, die du ${when} hinzugefügt hast.`,
    left: (codes) => plural(codes, { one: '# Ersatzcode ist übrig.', other: '# Ersatzcodes sind übrig.' }),
    add: 'App hinzufügen',
    renew: 'Neue Ersatzcodes',
    remove: 'App entfernen',
    removeHint: 'Ohne die App meldet dein Passwort allein an. Alle anderen Sitzungen enden.',
    removed: 'Dein Passwort meldet jetzt ohne Code an.',
    setUp: 'Authenticator-App einrichten',
    scan: 'Scanne dieses Bild mit der App.',
    confirm: 'Gib den Code ein, den die App zeigt.',
    qrCode: 'QR-Code für die App',
    type: 'Oder tippe dies in die App:',
    secret: 'Geheimnis für die App',
    code: 'Code der App',
    codes: 'Ersatzcodes',
    codesHint:
      'Jeder meldet dich einmal statt eines Codes an, wenn du die App verlierst. Bewahre sie dort auf, wo die App nicht ist.',
    download: 'Als Datei herunterladen',
  },

  passkeys: {
    title: 'Passkeys',
    hint: 'Melde dich mit Fingerabdruck, Gesicht oder PIN deines Geräts oder mit einem Sicherheitsschlüssel an statt mit deinem Passwort.',
    columns: ['Name', 'Hinzugefügt', 'Zuletzt benutzt', 'Aktionen'],
    synced: 'Auch auf deinen anderen Geräten',
    unsupported: 'Dieser Browser unterstützt keine Passkeys.',
    new: 'Neuer Passkey',
    name: 'Name des Passkeys',
    nameHint: 'Damit du ihn in dieser Liste von anderen unterscheiden kannst',
    add: 'Passkey hinzufügen',
    added: (name) => `Du kannst dich jetzt mit dem Passkey ${name} anmelden.`,
    actOn: { rename: (name) => `${name} umbenennen`, remove: (name) => `${name} entfernen` },
    askRename: 'Passkey umbenennen',
    askRemove: (name) => `${name} entfernen?`,
    removeHint:
      'Du kannst dich dann nicht mehr mit ihm anmelden. Dein Gerät behält ihn, bis du ihn auch dort löschst.',
    renamed: 'Der Passkey hat seinen neuen Namen.',
    removed: (name) => `Mit dem Passkey ${name} kannst du dich nicht mehr anmelden.`,
  },

  email: {
    change: 'E-Mail-Adresse ändern',
    new: 'Neue Adresse',
    hint: 'Wir schicken ihr einen Link zur Bestätigung und benachrichtigen die alte.',
    send: 'Link senden',
    sent: (email) =>
      `Öffne innerhalb von 30 Minuten den Link, den wir an ${email} geschickt haben. Bis dahin bleibt deine Adresse, wie sie ist.`,
  },

  password: {
    change: 'Passwort ändern',
    changed: 'Dein Passwort ist geändert; alle anderen Sitzungen und deine Kalender-Feeds sind beendet.',
    set: 'Passwort festlegen',
    wasSet: 'Dein Passwort ist festgelegt; alle anderen Sitzungen und deine Kalender-Feeds sind beendet.',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    newHint:
      'Mindestens 10 Zeichen; beendet alle anderen Sitzungen, deine Kalender-Feeds und den Zugriff von Programmen.',
    signInAgain: 'erneut anmelden',
    singleSignOn: (signInAgain) =>
      rich`Du meldest dich mit Single Sign-on an. Mit einem Passwort kannst du dich auch ohne anmelden. Lege es innerhalb von zehn Minuten nach der Anmeldung fest; danach musst du dich zuerst ${signInAgain}.`,
  },
};
