import type { cliLoginTexts } from '../cli-login.ts';

export const cliLogin: typeof cliLoginTexts = {
  title: 'In der Befehlszeile anmelden',
  asks: (host) => `waymark auf ${host} bittet um einen API-Schlüssel von dir.`,
  compare:
    'Fahre nur fort, wenn du gerade waymark login ausgeführt hast und dein Terminal denselben Code zeigt:',
  code: 'Code',
  workspace: 'Arbeitsbereich',
  may: { read: 'Der Schlüssel darf lesen.', write: 'Der Schlüssel darf lesen und schreiben.' },
  validFor: (days) => `Er ist ${days} Tage gültig. Du kannst ihn auf der Seite „API-Schlüssel“ widerrufen.`,
  settings: 'Er darf eine Stunde lang auch Einstellungen ändern',
  settingsHint: 'Zum Beispiel Mitglieder, Webhooks und Dienstkonten, wie ein Admin. Das Audit-Log zeigt es.',
  allow: 'Schlüssel erstellen',
  decline: 'Ablehnen',
  begun:
    'Fahre nur fort, wenn du gerade selbst waymark login ausgeführt hast. Gib den Code ein, den dein Terminal zeigt, und keinen, den dir jemand geschickt hat.',
  next: 'Weiter',
  unknownCode: 'Keine Befehlszeile wartet mit diesem Code.',
  askedFrom: (address) => `Die Anfrage kam von der Adresse ${address},`,
  ownOnly:
    'Den Schlüssel bekommt, wer diese Befehlszeile ausführt. Lehne ab, wenn du das nicht selbst auf einem Rechner begonnen hast, den du kennst.',
  allowed: 'Der Schlüssel ist erstellt. Kehre zum Terminal zurück, das sich in wenigen Sekunden anmeldet.',
  declined: 'Nichts wurde erstellt.',
  keyName: (host) => `waymark auf ${host}`,
  role: 'Nur Eigentümer und Admins eines Arbeitsbereichs erstellen API-Schlüssel. Lass dir einen geben und führe waymark login --key aus.',
  invalid: 'Diese Adresse ist nicht vollständig. Führe waymark login noch einmal aus.',
  insecure:
    'Der Browser verschlüsselt nur auf Seiten mit https oder auf localhost. Erstelle einen Schlüssel auf der Seite „API-Schlüssel“ und führe waymark login --key aus.',
};
