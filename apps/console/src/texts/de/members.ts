import type { membersTexts } from '../members.ts';

export const members: typeof membersTexts = {
  columns: ['Name', 'Rolle', 'Seit', 'Aktionen'],
  me: (name) => `${name} (du)`,
  mailRefused: 'Der Mailserver hat diese Adresse abgelehnt.',
  owner: 'Eigentümer',
  roles: {
    viewer: 'Leser: nur lesen',
    member: 'Mitglied: lesen und schreiben',
    admin: 'Admin: auch Einstellungen',
    owner: 'Eigentümer: auch Tarif und Löschung',
  },

  role: {
    of: (name) => `Rolle von ${name}`,
    change: 'Rolle ändern',
    askMine: (role) => `${role} werden?`,
    ask: (name, role) => `${name} zum ${role} machen?`,
    consequenceMine: (role) =>
      `Du bist noch ${role} und kannst deine Rolle danach nicht selbst wiederherstellen.`,
    consequence: (name, role) => `${name} ist bisher ${role}. Die neue Rolle gilt sofort.`,
    done: (name, role) => `${name} ist jetzt ${role}.`,
  },

  leave: {
    act: 'Verlassen',
    ask: (workspace) => `${workspace} verlassen?`,
    consequence: 'Du verlierst den Zugang sofort.',
    keys: (keys) => `Die von dir erstellten API-Schlüssel werden widerrufen: ${keys}.`,
  },

  remove: {
    andKeepKeys: 'Entfernen und Schlüssel behalten',
    ask: (name) => `${name} entfernen?`,
    consequence: (name) => `${name} verliert den Zugang sofort.`,
    keys: (name, keys) => `Die von ${name} erstellten API-Schlüssel werden widerrufen: ${keys}.`,
    done: (name) => `${name} ist kein Mitglied mehr.`,
  },

  invite: {
    title: 'Mit Link einladen',
    link: 'Link',
    mailed: (email) =>
      `Er wird per E-Mail an ${email} gesendet; du kannst ihn auch selbst senden. Er gilt einmal, sieben Tage lang, und du kannst ihn widerrufen.`,
    note: 'Sende ihn der Person, die du einlädst. Er gilt einmal, sieben Tage lang, und du kannst ihn widerrufen.',
    email: 'E-Mail-Adresse',
    emailHint:
      'Nur diese Person kann den Link verwenden, mit einem Konto dieser Adresse oder einem neuen. Leer lassen, damit alle mit dem Link ihn verwenden können, als Mitglied oder Leser.',
    role: 'Rolle',
    create: 'Link erstellen',
  },

  invitations: {
    title: 'Offene Einladungen',
    columns: ['Für', 'Rolle', 'Bis', 'Aktionen'],
    anyone: 'Alle mit dem Link',
    mail: {
      waiting: 'Die E-Mail ist unterwegs',
      sent: 'Per E-Mail gesendet',
      refused: 'Der Mailserver hat diese Adresse abgelehnt. Berichtige sie oder sende den Link selbst.',
    },
    revoke: 'Widerrufen',
    revokeOf: (email) => `Einladung für ${email} widerrufen`,
    revokeOfAnyone: 'Einladung für alle mit dem Link widerrufen',
    askRevoke: 'Einladung widerrufen?',
    consequence: 'Der Link wird sofort ungültig.',
    revoked: 'Der Link ist nicht mehr gültig.',
  },
};
