import { useRef, useState } from 'react';
import { api, hasCode } from '../../api/client.ts';
import { decisionFormTexts as t } from '../../texts/decision-form.ts';
import { notifyDone, showOnPage } from '../../ui/notify.tsx';
import { useDraft } from '../../workspace/use-draft.ts';
import { type EditDraft, editDraftName, revivedDraft } from '../decision-draft.ts';
import { changedBody, type DecisionBody, type DecisionEntries, entriesOf } from '../decision-entries.ts';
import type { Decision } from '../decision-words.ts';
import { useChangeDecision } from '../use-change-decision.ts';
import { DraftNotice } from './draft-notice.tsx';
import { EditConflict } from './edit-conflict.tsx';
import type { FormDraft } from './use-decision-form.ts';

interface Conflict {
  body: DecisionBody;
  theirs: Decision;
  by: string | null;
}

/**
 * Edits the version that was read first, or the draft's; later reads do not change the form. Its key is
 * `draft.discards`.
 */
export function useEditDecision(decision: Decision, onDone: () => unknown) {
  const draft = useDraft<EditDraft>(editDraftName(decision.id), revivedDraft);
  const [base, setBase] = useState(draft.found?.content.base ?? decision);
  const [initial, setInitial] = useState(() => entriesOf(base));
  /** The version that a save may replace: theirs, once the user has chosen to overwrite it. */
  const replaced = useRef(base);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const change = useChangeDecision({
    onDone: () => {
      draft.drop();
      notifyDone(t.changed);
      return onDone();
    },
  });
  const isConflict = hasCode(change.error, 'PRECONDITION_FAILED');
  /** Why the version that stands in the way could not be read. */
  const [unread, setUnread] = useState<unknown>(null);
  const error = isConflict ? (conflict ?? unread) : (change.error ?? conflict);

  function send(from: Decision, body: DecisionBody) {
    change.mutate(
      { base: from, body },
      {
        onError: async (error) => {
          if (!hasCode(error, 'PRECONDITION_FAILED')) return;
          const { workspace_id: workspaceId, id } = from;
          // The form says it, once it has read the version that stands in the way.
          showOnPage(error);
          setUnread(null);
          try {
            const { included, ...theirs } = await api.get('/decisions/{id}', {
              id,
              workspaceId,
              include: ['history'],
            });
            setConflict({ body, theirs, by: included?.history?.data[0]?.actor.name ?? null });
          } catch (failure) {
            setUnread(failure);
          }
        },
      },
    );
  }
  function save(entries: DecisionEntries) {
    const body = changedBody(initial, entries);
    if (Object.keys(body).length > 0) return send(replaced.current, body);
    draft.drop();
    void onDone();
  }
  function beginWith(version: Decision) {
    draft.discard();
    replaced.current = version;
    setBase(version);
    setInitial(entriesOf(version));
    setConflict(null);
    change.reset();
  }
  const formDraft: FormDraft = {
    ...draft,
    keep: (entries) => draft.keep({ base, entries }),
    discard: () => beginWith(decision),
  };
  const { outcome, outcome_confidence_kind: kind } = base;
  return {
    initial,
    entries: draft.found?.content.entries,
    draft: formDraft,
    discards: draft.discards,
    notice: draft.found && (
      <DraftNotice at={draft.found.at} version={base.version} isOutdated={decision.version > base.version} />
    ),
    /** The kind of the confidence that the first outcome froze; undefined while there can be a forecast. */
    frozenKind: outcome !== 'pending' || kind === 'retrospective' ? kind : undefined,
    error,
    explanation:
      conflict && error === conflict ? (
        <EditConflict
          base={base}
          body={conflict.body}
          theirs={conflict.theirs}
          by={conflict.by}
          onTakeTheirs={() => beginWith(conflict.theirs)}
          onSaveMine={({ currentTarget }) => {
            replaced.current = conflict.theirs;
            setConflict(null);
            currentTarget.form?.requestSubmit();
          }}
        />
      ) : undefined,
    isSaving: change.isPending,
    save,
  };
}
