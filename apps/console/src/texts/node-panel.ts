import type { ReactNode } from 'react';
import { defineTexts } from './define-texts.ts';
import { rich } from './format.ts';

/** The panel of a node or an edge, and the dialog that connects nodes. */
export const nodePanelTexts = defineTexts('nodePanel', {
  close: 'Close the panel',
  gone: {
    title: 'Deleted',
    node: 'Somebody deleted this node',
    edge: 'Somebody deleted this edge',
    typed: 'What you had typed, to copy:',
  },

  tabs: { details: 'Details', thread: 'Discussion' },
  fields: { title: 'Title', status: 'Status', assigned_to: 'Assigned to', data: 'Data' },
  nobody: 'Nobody',
  assigned: (name: string | null) => `Assigned to: ${name ?? 'nobody'}`,
  externalId: (id: string) => `External id: ${id}`,
  dataHint: 'Your own fields, as a JSON object',
  notObject: 'This must be an object: { "name": "value" }',
  notJson: (reason: string) => `This is not valid JSON: ${reason}`,
  discard: 'Discard',
  saved: 'Saved.',
  connectTo: 'Connect to…',
  remove: 'Delete node',
  move: { title: 'Move', left: 'Move left', up: 'Move up', down: 'Move down', right: 'Move right' },

  changed: 'Somebody changed this node meanwhile',
  changedHint: 'What you typed is still here. Save it over theirs, or take theirs.',
  theirs: (field: string, value: string) => `${field} (theirs): ${value}`,
  takeTheirs: 'Take theirs',
  takeTheirsOf: (field: string) => `Take theirs: ${field}`,
  saveMine: 'Save mine',

  edge: {
    title: 'Edge',
    ends: (from: ReactNode, to: ReactNode) => rich`From ${from} to ${to}`,
    changed: 'Somebody changed the condition meanwhile',
    noneNow: 'It has none now.',
    none: 'Without a condition.',
    disconnect: 'Disconnect',
  },
  condition: 'Condition',
  conditionHint: 'When the edge is taken, as JSON; empty for always',
  connect: {
    title: (from: string) => `Connect “${from}”`,
    to: 'To',
    node: 'Title of a node',
    act: 'Connect',
    allConnected: 'This node leads to every other node already.',
    noOther: 'There is no other node yet. Add one first.',
  },
});
