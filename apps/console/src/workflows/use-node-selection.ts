import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { newId } from '../api/new-id.ts';
import type { CanvasControls } from './canvas/canvas.tsx';
import { type Alignment, alignmentOf } from './graph/align.ts';
import type { GraphStore } from './graph/graph-store.ts';
import { insertionOf, type Piece, pieceFrom, pieceOf } from './graph/piece.ts';

/** The actions of users with the selected nodes, also by keyboard. */
export function useNodeSelection(options: {
  store: GraphStore;
  canvas: RefObject<CanvasControls | null>;
  mayEdit: boolean;
  remove: (nodeIds: string[], edgeKeys: string[]) => void;
}) {
  const { store, canvas, mayEdit, remove } = options;

  function selected(): string[] {
    canvas.current?.settle();
    return canvas.current?.selected() ?? [];
  }
  const copied = () => pieceOf(store.state().graph, selected());

  function insert(act: 'paste' | 'duplicate', piece: Piece) {
    if (piece.nodes.length === 0) return;
    const change = insertionOf(act, piece, canvas.current!.shiftFor(piece.nodes), newId);
    // The canvas can select only nodes that it shows.
    flushSync(() => void store.change(change));
    canvas.current?.select(change.nodes.map(({ id }) => id));
  }

  function align(way: Alignment) {
    const ids = new Set(selected());
    const nodes = [...store.state().graph.nodes.values()].filter(({ id }) => ids.has(id));
    void store.change(alignmentOf(nodes, way));
  }

  const selectAll = () => canvas.current?.select([...store.state().graph.nodes.keys()]);
  const duplicate = () => insert('duplicate', copied());
  const removeSelected = () => {
    const ids = selected();
    if (ids.length > 0) remove(ids, []);
  };

  const onCanvas = (act: () => void) => (event: KeyboardEvent) => {
    if (!isForCanvas(event)) return;
    event.preventDefault();
    if (!event.repeat) act();
  };
  const onDuplicate = (event: KeyboardEvent) => {
    // Without a selection, the browser offers a bookmark.
    if (selected().length > 0) onCanvas(duplicate)(event);
  };
  // The canvas handles the key where it has the focus; with a selection, often nothing has.
  const onDelete = ({ target }: KeyboardEvent) => {
    if (target === document.body) removeSelected();
  };
  const asNeeded = { preventDefault: false };
  const editing: HotkeyItem[] = [
    ['mod+D', onDuplicate, asNeeded],
    ['Delete', onDelete, asNeeded],
    ['Backspace', onDelete, asNeeded],
  ];
  useHotkeys([['mod+A', onCanvas(selectAll), asNeeded], ...(mayEdit ? editing : [])]);
  useNodeClipboard({ copied, paste: mayEdit ? (piece) => insert('paste', piece) : null });

  return { selectAll, duplicate, align, removeSelected };
}

const FORMAT = 'application/x-waymark-nodes';
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"], .workflow-panel';

/** Whether a key or a clipboard event is meant for the canvas. */
const isForCanvas = ({ target }: Event) => !(target instanceof Element && target.closest(ELSEWHERE));

/** Copies nodes to the clipboard and pastes them into any workflow. Other programs get the titles. */
function useNodeClipboard(options: { copied: () => Piece; paste: ((piece: Piece) => void) | null }) {
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    if (!isForCanvas(event) || getSelection()?.isCollapsed === false) return;
    const piece = options.copied();
    if (piece.nodes.length === 0) return;
    event.preventDefault();
    event.clipboardData?.setData(FORMAT, JSON.stringify(piece));
    event.clipboardData?.setData('text/plain', piece.nodes.map(({ title }) => title).join('\n'));
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!isForCanvas(event)) return;
    const piece = pieceFrom(event.clipboardData?.getData(FORMAT) ?? '');
    if (!piece || !options.paste) return;
    event.preventDefault();
    options.paste(piece);
  });
  useEffect(() => {
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, []);
}
