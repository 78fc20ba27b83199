import { useEffect, useEffectEvent } from 'react';
import { type Piece, pieceFrom } from './graph/piece.ts';

const FORMAT = 'application/x-waymark-nodes';
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"], .workflow-panel';

/** Whether a key or a clipboard event is meant for the canvas. */
export const isForCanvas = ({ target }: Event) => !(target instanceof Element && target.closest(ELSEWHERE));

/** Copies nodes to the clipboard and pastes them into any workflow. Other programs get the titles. */
export function useNodeClipboard(options: { copied: () => Piece; paste: ((piece: Piece) => void) | null }) {
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
