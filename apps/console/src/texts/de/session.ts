import type { sessionTexts } from '../session.ts';

export const session: typeof sessionTexts = {
  signIn: 'Anmelden',
  signInFailed: 'Die Anmeldung war nicht erfolgreich',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  passwordHint:
    'Mindestens 10 Zeichen und kein verbreitetes Passwort; gut sind ein paar Wörter, die nichts miteinander zu tun haben',

  code: {
    label: 'Code',
    hint: 'Aus deiner Authenticator-App, oder ein Ersatzcode',
    refused: 'Dieser Code hat dich nicht angemeldet',
  },
  secondFactor: {
    title: 'Dieser Arbeitsbereich verlangt einen zweiten Faktor',
    hint: 'Melde dich mit einem Passkey oder mit einem Code deiner Authenticator-App an. Wenn du beides nicht hast, füge es in deinem Konto hinzu; sonst melde dich ab und damit wieder an.',
    setUp: 'Zu deinem Konto',
  },
  passkey: {
    signIn: 'Mit einem Passkey anmelden',
    notUsed: 'Es wurde kein Passkey verwendet',
    notCreated: 'Es wurde kein Passkey erstellt',
    known: 'Dieses Gerät hat schon einen Passkey deines Kontos.',
    cancelled:
      'Der Vorgang wurde abgebrochen, hat zu lange gedauert, oder dieses Gerät kann das nicht. Du kannst es erneut versuchen.',
  },
  expired: {
    title: 'Deine Sitzung ist abgelaufen',
    hint: 'Melde dich wieder an, um fortzufahren. Deine Eingaben sind noch da.',
    leave: 'Diese Seite verlassen',
    otherTab: 'In einem anderen Tab anmelden',
    done: 'Ich habe mich angemeldet',
  },

  pages: {
    newDecision: 'Neue Entscheidung',
    editDecision: 'Entscheidung bearbeiten',
    webhooks: 'Webhooks',
    endpoint: 'Webhook-Endpunkt',
    delivery: 'Zustellung',
    apiKeys: 'API-Schlüssel',
    limits: 'Ratenlimits',
  },
  role: {
    needed: {
      member: 'Das können Mitglieder, Admins und Eigentümer',
      admin: 'Das können Admins und Eigentümer',
    },
    yours: (role, workspace) =>
      `Deine Rolle in ${workspace} ist ${role}. Admins und Eigentümer können sie ändern.`,
  },
  plan: {
    needed: (feature) => `${feature} gibt es ab dem Tarif Business`,
    yours: (plan) => `Dieser Arbeitsbereich hat den Tarif ${plan.charAt(0).toUpperCase()}${plan.slice(1)}.`,
    askOwner: 'Ein Eigentümer des Arbeitsbereichs kann ihn ändern.',
    see: 'Tarife ansehen',
  },
};
