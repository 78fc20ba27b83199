import { defineTexts } from './define-texts.ts';

/** Boards of cards in columns, and the choice between a board and a list. */
export const boardTexts = defineTexts('board', {
  layout: 'Layout',
  list: 'List',
  board: 'Board',
  moveTo: (name: string) => `Move to ${name}`,
  moved: (title: string, status: string) => `${title} is now ${status}.`,
  notMoved: 'Not moved',
  movedBefore: (title: string, status: string) =>
    `Somebody else has just changed ${title}: it is ${status} now. Move it again if that is not right.`,
});
