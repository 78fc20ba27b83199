import { Button, Notification } from '@mantine/core';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { problemOf } from '../api/problem.ts';
import { uiTexts as t } from '../texts/ui.ts';

interface Notice {
  id: number;
  title?: string;
  message: string;
  color: 'teal' | 'red' | 'gray';
  /** How long it is shown; until it is closed by default. */
  shownMs?: number;
  action?: { label: string; run: () => void };
  /** The error that the notice explains. */
  error?: unknown;
  /** The mutation that failed. */
  of?: object | undefined;
}

const SHOWN_MS = 5_000;
const UNDO_MS = 20_000;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
/** Errors that the page shows itself. */
const shownOnPage = new WeakSet<object>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function show(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  change([...notices, { ...notice, id: lastId }]);
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
  show({ message, color: 'teal', shownMs: SHOWN_MS });
}

/** Shows a short message that is neither success nor failure. */
export function notifyNews(message: string): void {
  show({ message, color: 'gray', shownMs: SHOWN_MS });
}

/** Shows a success message with a button that undoes the change. */
export function notifyUndo(message: string, undo: () => void): void {
  show({ message, color: 'teal', shownMs: UNDO_MS, action: { label: t.undo, run: undo } });
}

/**
 * Shows why something failed until it is closed or repeated, unless the page shows it. `title` says what
 * failed, where the error alone does not.
 */
export function notifyProblem(
  error: unknown,
  options: { title?: string; repeat?: () => void; of?: object } = {},
): void {
  if (isObject(error) && shownOnPage.has(error)) return;
  const { title, detail, requestId, isFinal } = problemOf(error);
  const reason = options.title === undefined ? detail : `${title}. ${detail}`;
  const { repeat, of } = options;
  show({
    title: options.title ?? title,
    message: requestId === null ? reason : t.problem.withRequest(reason, requestId),
    color: 'red',
    error,
    of,
    ...(repeat && !isFinal && { action: { label: t.tryAgain, run: repeat } }),
  });
}

/** Closes all notices, such as offers to undo, because their user has signed out. */
export const dismissAll = () => change([]);

/** Closes the notices about failures of a mutation; without one, about failures that no mutation caused. */
export function dismissFailures(mutation?: object): void {
  change(notices.filter(({ error, of }) => error === undefined || of !== mutation));
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

/** A message that closes by itself stays while the pointer or the focus is in it. */
function Toast({ id, title, message, color, action, shownMs }: Notice) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (shownMs === undefined || isHeld) return;
    const timer = setTimeout(() => dismiss(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, shownMs, isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  const act = () => {
    dismiss(id);
    action?.run();
  };
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
          <Button variant="default" size="compact-sm" onClick={act}>
            {action.label}
          </Button>
        )}
      </div>
    </Notification>
  );
}
