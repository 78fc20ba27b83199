import { Button, Notification } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { problemOf } from '../api/problem.ts';
import { uiTexts as t } from '../texts/ui.ts';

interface Notice {
  id: number;
  title?: string;
  message: string;
  color: 'teal' | 'red';
  /** Disappears by itself. */
  isBrief?: boolean;
  undo?: () => void;
}

const SHOWN_MS = 5_000;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function show(notice: Omit<Notice, 'id'>): number {
  lastId += 1;
  change([...notices, { ...notice, id: lastId }]);
  return lastId;
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a short success message. */
export function notifyDone(message: string): void {
  show({ message, color: 'teal', isBrief: true });
}

/** Shows what was done with a button that undoes it. The returned function closes the message. */
export function notifyUndo(message: string, undo: () => void): () => void {
  const id = show({ message, color: 'teal', undo });
  return () => dismiss(id);
}

/** Shows an error message until it is closed. */
export function notifyProblem(error: unknown): void {
  const { title, detail, requestId } = problemOf(error);
  show({
    title,
    message: requestId === null ? detail : t.problem.withRequest(detail, requestId),
    color: 'red',
  });
}

/** Renders the messages, where they cover nothing that the user works with; used once in the application. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className="notices" role="status">
      {shown.map((notice) => (
        <Toast key={notice.id} {...notice} />
      ))}
    </div>
  );
}

/** A brief message stays while the pointer or the focus is in it. */
function Toast({ id, message, undo, isBrief, ...notice }: Notice) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isBrief || isHeld) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isBrief, isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <Notification
      mt="2xs"
      withBorder
      {...notice}
      closeButtonProps={{ 'aria-label': t.dismiss }}
      onClose={() => dismiss(id)}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {message}
      {undo && (
        <Button variant="default" size="compact-sm" ms="sm" onClick={undo}>
          {t.undo}
        </Button>
      )}
    </Notification>
  );
}
