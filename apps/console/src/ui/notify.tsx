import { Button, Notification } from '@mantine/core';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { problemOf } from '../api/problem.ts';
import { uiTexts as t } from '../texts/ui.ts';

interface Notice {
  id: number;
  title?: string;
  message: string;
  color: 'teal' | 'red';
  /** Disappears by itself. */
  isBrief?: boolean;
  action?: { label: string; run: () => void };
  /** The error that the notice explains. */
  error?: unknown;
}

const SHOWN_MS = 5_000;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** Errors that the page shows itself. */
const shownOnPage = new WeakSet<object>();

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

/** Shows a success message with a button that undoes the change. The returned function closes the message. */
export function notifyUndo(message: string, undo: () => void): () => void {
  const id = show({ message, color: 'teal', action: { label: t.undo, run: undo } });
  return () => dismiss(id);
}

/**
 * Shows why something failed until it is closed or repeated, unless the page shows it. `title` says what
 * failed, where the error alone does not.
 */
export function notifyProblem(error: unknown, options: { title?: string; repeat?: () => void } = {}): void {
  if (isObject(error) && shownOnPage.has(error)) return;
  const { title, detail, requestId, isFinal } = problemOf(error);
  const reason = options.title === undefined ? detail : `${title}. ${detail}`;
  const { repeat } = options;
  const tryAgain = () => {
    dismiss(id);
    repeat?.();
  };
  const id = show({
    title: options.title ?? title,
    message: requestId === null ? reason : t.problem.withRequest(reason, requestId),
    color: 'red',
    error,
    ...(repeat && !isFinal && { action: { label: t.tryAgain, run: tryAgain } }),
  });
}

/** Closes the notices about failures, because something is tried again. */
export function dismissFailures(): void {
  change(notices.filter(({ error }) => error === undefined));
}

/** Declares that the calling component shows this error, so that no notice does. */
export function useShownOnPage(error: unknown): void {
  useLayoutEffect(() => showOnPage(error), [error]);
}

/** Declares that the page shows this error, or will, so that no notice does. */
export function showOnPage(error: unknown): void {
  if (!isObject(error)) return;
  shownOnPage.add(error);
  if (notices.some((notice) => notice.error === error))
    change(notices.filter((notice) => notice.error !== error));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Renders the messages, used once in the application. */
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
function Toast({ id, title, message, color, action, isBrief }: Notice) {
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
      title={title}
      color={color}
      closeButtonProps={{ 'aria-label': t.dismiss }}
      onClose={() => dismiss(id)}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <div className="notice-text">
        {message}
        {action && (
          <Button variant="default" size="compact-sm" onClick={action.run}>
            {action.label}
          </Button>
        )}
      </div>
    </Notification>
  );
}
