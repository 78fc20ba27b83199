import type { wordsTexts } from '../words.ts';

export const words: typeof wordsTexts = {
  status: {
    proposed: 'vorgeschlagen',
    accepted: 'angenommen',
    rejected: 'abgelehnt',
    archived: 'archiviert',
  },
  outcome: {
    pending: 'offen',
    success: 'Erfolg',
    partial: 'Teilerfolg',
    failure: 'Misserfolg',
    abandoned: 'aufgegeben',
  },
  role: {
    owner: 'Eigentümer',
    admin: 'Admin',
    member: 'Mitglied',
    viewer: 'Leser',
  },
};
