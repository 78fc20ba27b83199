import type { problemTexts } from '../problem.ts';
import { API_MESSAGES } from './api-messages.ts';

export const problem: typeof problemTexts = {
  titles: {
    VALIDATION_ERROR: 'Ein Teil der Eingaben ist nicht gültig',
    UNAUTHORIZED: 'Du bist abgemeldet',
    FORBIDDEN: 'Deine Rolle erlaubt das nicht',
    PLAN_GATE: 'Dein Tarif enthält das nicht',
    NOT_FOUND: 'Das wurde nicht gefunden',
    APPROVAL_REQUIRED: 'Zustimmungen zu diesem Text fehlen',
    CONFLICT: 'Das passt nicht zu den gespeicherten Daten',
    LIMIT_EXCEEDED: 'Ein Limit ist erreicht',
    PRECONDITION_FAILED: 'Jemand anderes hat das inzwischen geändert',
    PRECONDITION_REQUIRED: 'Vielleicht hat jemand anderes das inzwischen geändert',
    PAYLOAD_TOO_LARGE: 'Das ist zu groß',
    RATE_LIMITED: 'Zu viele Anfragen',
    SERVICE_UNAVAILABLE: 'Ein Teil von Waymark ist nicht erreichbar',
    DATABASE_NOT_CONFIGURED: 'Dieser Teil von Waymark ist nicht eingerichtet',
    INTERNAL_ERROR: 'Bei uns ist etwas schiefgegangen',
  },
  signInAgain: 'Melde dich an und versuche es dann erneut.',
  wait: (seconds) => `Warte ${seconds} s und versuche es dann erneut.`,
  other: 'Das hat nicht funktioniert',
  offline: 'Waymark antwortet nicht',
  offlineHint: 'Prüfe deine Verbindung und versuche es dann erneut.',
  ofApi: (message) => {
    const [pattern, german] = API_MESSAGES.find(([one]) => one.test(message)) ?? [];
    return pattern ? message.replace(pattern, german!) : message;
  },
  input: 'Eingabe',
  entry: (at) => `Eintrag ${at}`,
  inEntry: (at, message) => `Eintrag ${at}: ${message}`,
};
