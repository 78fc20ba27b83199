import type { boardTexts } from '../board.ts';

export const board: typeof boardTexts = {
  layout: 'Darstellung',
  list: 'Liste',
  board: 'Board',
  moveTo: (name) => `Nach „${name}“ verschieben`,
  moved: (title, status) => `${title} ist jetzt ${status}.`,
  notMoved: 'Nicht verschoben',
  movedBefore: (title, status) =>
    `Jemand anderes hat ${title} gerade geändert, es ist jetzt ${status}. Verschiebe es noch einmal, falls das nicht stimmt.`,
};
