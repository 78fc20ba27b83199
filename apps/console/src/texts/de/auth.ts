import type { authTexts } from '../auth.ts';
import { rich } from '../format.ts';

export const auth: typeof authTexts = {
  about: 'Hier halten Teams fest, was sie entscheiden, und lernen aus dem, was daraus wird.',
  toConsole: 'Zur Konsole',
  linkExpired: 'Dieser Link ist nicht mehr gültig',
  emailTaken: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto',

  signIn: {
    forgot: 'Passwort vergessen?',
    newHere: (link) => rich`Neu hier? ${link}`,
    create: 'Konto erstellen',
    invite: 'Neu hier? Bitte jemanden, der diese Installation nutzt, um eine Einladung.',
    closed: 'Neu hier? Bitte den Betreiber dieser Installation um ein Konto.',
  },
  sso: {
    signIn: (provider) => `Mit ${provider} anmelden`,
    or: 'oder',
    failed: 'Single Sign-on hat nicht funktioniert',
    errors: {
      expired: 'Die Anmeldung ist abgelaufen oder begann in einem anderen Browser. Versuche es erneut.',
      refused: 'Der Identitätsanbieter hat die Anmeldung abgelehnt.',
      email: 'Der Identitätsanbieter hat deine E-Mail-Adresse nicht bestätigt.',
      domain: 'Mit Adressen deiner Domain kann man sich hier nicht anmelden.',
      closed: 'Du hast hier kein Konto. Bitte um eine Einladung.',
      password: 'Du hast schon ein Konto. Melde dich einmal mit seinem Passwort an, um beide zu verbinden.',
      unavailable: 'Der Identitätsanbieter antwortet nicht. Versuche es später erneut.',
    },
  },
  signUp: {
    title: 'Konto erstellen',
    name: 'Dein Name',
    act: 'Konto erstellen',
    known: (link) => rich`Du hast schon ein Konto? ${link}`,
    invite:
      'Für die Registrierung brauchst du eine Einladung. Bitte jemanden, der diese Installation nutzt; die Einladung ist ein Link, der hierher führt.',
    closed:
      'Hier kann man sich nicht selbst registrieren. Bitte den Betreiber dieser Installation um ein Konto.',
  },
  join: {
    title: 'Einem Arbeitsbereich beitreten',
    incomplete:
      'Diese Adresse ist unvollständig: Eine Einladung endet mit # und einem Code. Öffne den ganzen Link.',
    gone: 'Diese Einladung ist nicht mehr gültig: Sie wurde benutzt oder widerrufen oder ist älter als sieben Tage. Bitte um eine neue.',
    invited: (by, workspace, role) => rich`${by} lädt dich in ${workspace} ein, mit der Rolle ${role}.`,
    signedIn: (email) => `Du bist als ${email} angemeldet.`,
    act: 'Beitreten',
    closed: 'Diese Installation erstellt mit Einladungen keine Konten. Melde dich mit deinem Konto an.',
    create: 'Stattdessen ein Konto erstellen',
    known: 'Ich habe ein Konto',
  },
  forgot: {
    title: 'Passwort vergessen',
    operator:
      'Diese Installation verschickt keine E-Mails. Bitte ihren Betreiber um ein neues Passwort. Der Befehl für den Betreiber:',
    hint: 'Wir schicken dir einen Link, mit dem du ein neues Passwort wählst',
    act: 'Link senden',
    sent: (email) =>
      `Falls es zu ${email} hier ein Konto gibt, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert einmal, innerhalb von 30 Minuten.`,
  },
  reset: {
    title: 'Neues Passwort wählen',
    another: 'Neuen Link anfordern',
    password: 'Neues Passwort',
    hint: 'Mindestens 10 Zeichen; beendet alle Sitzungen, Passkeys, Kalender-Feeds und den Zugriff von Programmen',
    act: 'Passwort ändern',
    done: (link) =>
      rich`Dein Passwort ist geändert, und alle Sitzungen und Passkeys sind ungültig. Mit dem neuen Passwort kannst du dich jetzt ${link}.`,
    signIn: 'anmelden',
  },
  confirm: {
    title: 'E-Mail-Adresse bestätigen',
    hint: 'Du meldest dich dann mit der Adresse an, an die dieser Link ging, statt mit der bisherigen.',
    act: 'Diese Adresse verwenden',
    done: 'Deine Adresse ist geändert. Melde dich von jetzt an mit ihr an.',
  },
  unsubscribe: {
    title: 'Weniger Mails',
    hint: 'Du bekommst dann keine Mails mehr wie die mit diesem Link. Im Eingang erfährst du weiterhin alles, und in den Einstellungen deines Kontos schaltest du die Mails wieder ein.',
    act: 'Abbestellen',
    done: 'Du bekommst keine solchen Mails mehr.',
  },
};
