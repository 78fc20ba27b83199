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
  allow: 'Schlüssel erstellen',
  decline: 'Ablehnen',
  keyName: (host) => `waymark auf ${host}`,
  role: 'Nur Eigentümer und Admins eines Arbeitsbereichs erstellen API-Schlüssel. Lass dir einen geben und führe waymark login --key aus.',
  invalid: 'Diese Adresse ist nicht vollständig. Führe waymark login noch einmal aus.',
  insecure:
    'Der Browser verschlüsselt nur auf Seiten mit https oder auf localhost. Erstelle einen Schlüssel auf der Seite „API-Schlüssel“ und führe waymark login --key aus.',
};
