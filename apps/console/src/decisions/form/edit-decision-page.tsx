import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { unwrap, WaymarkError } from '@waymark/client/api';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { Loading } from '../../ui/loading.tsx';
import { notifyDone, notifyProblem } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { changedBody, type DecisionBody, type DecisionEntries, entriesOf } from '../decision-entries.ts';
import { decisionQuery } from '../decision-query.ts';
import type { Decision } from '../decision-words.ts';
import { useChangeDecision } from '../page/use-change-decision.ts';
import { DecisionForm } from './decision-form.tsx';
import { EditConflict } from './edit-conflict.tsx';

const route = getRouteApi('/user/w/$workspaceId/decisions/$decisionId/edit');

export function EditDecisionPage() {
  const { decisionId } = route.useParams();
  const { id: workspaceId } = useWorkspace();
  const decision = useQuery(decisionQuery(workspaceId, decisionId));
  return (
    <Page title="Edit decision">
      {decision.isError && <ProblemAlert error={decision.error} retry={() => void decision.refetch()} />}
      {decision.isPending && <Loading />}
      {decision.data && <EditDecision decision={decision.data} />}
    </Page>
  );
}

interface Conflict {
  body: DecisionBody;
  theirs: Decision;
}

/** Edits the version that was read first; later reads do not change the form. */
function EditDecision({ decision }: { decision: Decision }) {
  const navigate = route.useNavigate();
  const params = { workspaceId: decision.workspace_id, decisionId: decision.id };
  // The input has been saved.
  const open = () => navigate({ to: '/w/$workspaceId/decisions/$decisionId', params, ignoreBlocker: true });
  const [base, setBase] = useState(decision);
  const [initial, setInitial] = useState(() => entriesOf(decision));
  /** The version that a save may replace: theirs, once the user has chosen to overwrite it. */
  const replaced = useRef(decision);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const change = useChangeDecision({
    onDone: () => {
      notifyDone('The decision is changed.');
      return open();
    },
  });
  const isConflict = change.error instanceof WaymarkError && change.error.code === 'PRECONDITION_FAILED';
  const failure = isConflict ? conflict : (change.error ?? conflict);

  function send(from: Decision, body: DecisionBody) {
    change.mutate(
      { base: from, body },
      {
        onError: async (error) => {
          if (!(error instanceof WaymarkError) || error.code !== 'PRECONDITION_FAILED') return;
          const { workspace_id: workspaceId, id } = from;
          const at = { path: { id }, query: { workspaceId } };
          try {
            setConflict({ body, theirs: await unwrap(api.GET('/decisions/{id}', { params: at })) });
          } catch (failure) {
            notifyProblem(failure);
          }
        },
      },
    );
  }
  function save(entries: DecisionEntries) {
    const body = changedBody(initial, entries);
    if (Object.keys(body).length === 0) void open();
    else send(replaced.current, body);
  }
  function takeTheirs({ theirs }: Conflict) {
    replaced.current = theirs;
    setBase(theirs);
    setInitial(entriesOf(theirs));
    setConflict(null);
    change.reset();
  }
  const { outcome, outcome_confidence_kind: kind } = base;
  const isFrozen = outcome !== 'pending' || kind === 'retrospective';
  return (
    <DecisionForm
      key={base.version}
      initial={initial}
      self={base.id}
      act="Save"
      isNew={false}
      frozenKind={isFrozen ? kind : undefined}
      error={failure}
      explanation={
        failure === conflict &&
        conflict && (
          <EditConflict
            base={base}
            body={conflict.body}
            theirs={conflict.theirs}
            onTakeTheirs={() => takeTheirs(conflict)}
            onSaveMine={({ currentTarget }) => {
              replaced.current = conflict.theirs;
              setConflict(null);
              currentTarget.form?.requestSubmit();
            }}
          />
        )
      }
      isSaving={change.isPending}
      save={save}
      cancel={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/w/$workspaceId/decisions/$decisionId" params={params} {...props} />
          )}
        >
          Cancel
        </Button>
      }
    />
  );
}
