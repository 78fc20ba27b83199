import { useSyncExternalStore } from 'react';
import { lazyPart } from '../lazy-page.ts';
import { LazyPart } from '../lazy-part.tsx';

export interface Question {
  title: string;
  /** The consequence, such as the records that are deleted. */
  consequence: string;
  /** The button's label: Delete, Revoke, Remove. */
  act: string;
  /** The other button's label; default Cancel. */
  stay?: string;
  onConfirm: () => void;
  /** Another way to act, with its own button. */
  alternative?: { act: string; onConfirm: () => void };
  onStay?: () => void;
}

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'));

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

/** Asks for confirmation of an irreversible action. */
export function confirmDestruction(question: Question): void {
  ask(question);
}

export const useQuestion = () => useSyncExternalStore(subscribe, () => asked);

/** Renders the dialog of confirmDestruction; used once in the application. */
export function Confirmation() {
  const question = useQuestion();
  if (!question) return null;
  const { onConfirm, onStay, alternative } = question;
  const answer = (then: (() => void) | undefined) => () => {
    ask(null);
    then?.();
  };
  return (
    <LazyPart onClose={answer(onStay)}>
      <ConfirmDialog
        question={question}
        onStay={answer(onStay)}
        onConfirm={answer(onConfirm)}
        onAlternative={answer(alternative?.onConfirm)}
      />
    </LazyPart>
  );
}
