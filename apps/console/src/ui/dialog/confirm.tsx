import { lazy, useSyncExternalStore } from 'react';
import { LazyPart } from '../lazy-part.tsx';

export interface Question {
  title: string;
  /** What will be lost. */
  consequence: string;
  /** The word on the button: Delete, Revoke, Remove. */
  act: string;
  /** The word on the other button, where it is not Cancel. */
  stay?: string;
  onConfirm: () => void;
  onStay?: () => void;
}

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

let asked: Question | null = null;
const listeners = new Set<() => void>();

function ask(question: Question | null): void {
  asked = question;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks before an act that cannot be undone. */
export function confirmDestruction(question: Question): void {
  ask(question);
}

export const useQuestion = () => useSyncExternalStore(subscribe, () => asked);

/** Shows what confirmDestruction asks; stands once in the application. */
export function Confirmation() {
  const question = useQuestion();
  if (!question) return null;
  const { onConfirm, onStay } = question;
  const answer = (then: (() => void) | undefined) => () => {
    ask(null);
    then?.();
  };
  return (
    <LazyPart onClose={answer(onStay)}>
      <ConfirmDialog question={question} onStay={answer(onStay)} onConfirm={answer(onConfirm)} />
    </LazyPart>
  );
}
