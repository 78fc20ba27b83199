import { defineTexts } from './define-texts.ts';
import { number, plural } from './format.ts';
import { nodesTexts } from './nodes.ts';

const nodes = (count: number) => plural(count, { one: '# node', other: '# nodes' });

/** The page of a workflow without its panel. */
export const canvasTexts = defineTexts('canvas', {
  title: 'Workflow',
  loading: 'Loading the workflow',
  all: 'All workflows',
  viewers: 'Also here',
  viewerAt: (name: string, node: string) => `${name}, at “${node}”`,

  add: 'Add node',
  addTo: (status: string) => `Add node: ${status}`,
  /** The title of a new node. */
  fresh: (type: keyof typeof nodesTexts.types) => `New ${nodesTexts.types[type].toLowerCase()}`,
  undo: 'Undo',
  redo: 'Redo',
  undoOf: (change: string) => `Undo: ${change} (Ctrl+Z)`,
  redoOf: (change: string) => `Redo: ${change} (Ctrl+Shift+Z)`,
  noUndo: 'Nothing to undo',
  noRedo: 'Nothing to redo',
  arrange: 'Arrange',
  directions: { LR: 'From left to right', TB: 'From top to bottom' },
  goTo: 'Go to a node',
  noNode: 'No such node',
  canvas: 'Canvas',
  acyclic: 'Acyclic',
  acyclicHint: 'Refuses edges that close a cycle',
  liveness: { connecting: 'Connecting…', live: 'Live', refused: 'No access' },
  waiting: (changes: number) => `Waiting to save (${number(changes)})`,
  saving: 'Saving…',
  saved: 'Saved',
  unsaved: 'Input not saved yet',

  select: 'Select',
  selected: 'selected',
  selectAll: 'Select all',
  lasso: 'Drag to select',
  duplicate: 'Duplicate',
  align: {
    left: 'Align left',
    right: 'Align right',
    top: 'Align top',
    bottom: 'Align bottom',
    across: 'Distribute horizontally',
    down: 'Distribute vertically',
  },
  deleteKey: 'Delete',

  /** Changes in the labels of Undo and Redo. */
  did: {
    nodes: (act: 'move' | 'paste' | 'duplicate' | 'delete' | 'align' | 'distribute', count: number) =>
      `${act} ${nodes(count)}`,
    add: (title: string) => `add “${title}”`,
    rename: (title: string) => `rename “${title}”`,
    edit: (title: string) => `edit “${title}”`,
    condition: 'edit a condition',
    connect: 'connect',
    disconnect: 'disconnect',
    arrange: 'arrange',
  },
  left: (items: number) =>
    plural(items, {
      one: 'Somebody else has changed one item since. It was left unchanged.',
      other: 'Somebody else has changed # items since. They were left unchanged.',
    }),
  noLayout: 'The layout did not work.',

  remove: {
    title: (count: number) => (count === 1 ? 'Delete this node?' : `Delete ${nodes(count)}?`),
    consequence: (edges: number) =>
      `This also deletes ${plural(edges, {
        one: '# edge',
        other: '# edges',
      })} and the attached messages. Undo restores nodes and edges without messages; the trash restores all of it.`,
    act: (count: number) => plural(count, { one: 'Delete node', other: 'Delete nodes' }),
  },
  cycle: 'This would close a cycle',
  empty: 'An empty canvas',
  begin: 'Begin with “Add node”. Drag from the right edge of a node to another one to connect them.',
  nothing: 'This workflow is empty.',
  far: 'Zoom in to see and change the nodes.',

  nodeTitle: 'Title',
  assigned: (name: string) => `assigned to ${name}`,
  messages: (shown: string, count: number) => `${shown} ${count === 1 ? 'message' : 'messages'}`,
  edge: (from: string, to: string) => `From ${from} to ${to}`,
  always: 'always',
  roles: { node: 'node', edge: 'edge' },
  keys: {
    node: 'Arrow keys move the node, Enter opens it, F2 renames it, C connects it to another one, Delete removes it.',
    edge: 'Enter opens the edge, Delete removes it.',
  },
  readerKeys: { node: 'Enter opens the node.', edge: 'Enter opens the edge.' },
  /** Texts of React Flow. */
  flow: {
    'controls.ariaLabel': 'Control Panel',
    'controls.zoomIn.ariaLabel': 'Zoom In',
    'controls.zoomOut.ariaLabel': 'Zoom Out',
    'controls.fitView.ariaLabel': 'Fit View',
    'minimap.ariaLabel': 'Overview of the workflow',
    'node.a11yDescription.ariaLiveMessage': (move: { direction: string; x: number; y: number }) =>
      `Moved selected node ${move.direction}. New position, x: ${move.x}, y: ${move.y}`,
  },
});
