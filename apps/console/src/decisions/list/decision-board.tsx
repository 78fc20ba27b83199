import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { api, hasCode } from '../../api/client.ts';
import type { LocalError } from '../../api/problem.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { boardTexts as t } from '../../texts/board.ts';
import { wordsTexts as words } from '../../texts/words.ts';
import { Board } from '../../ui/list/board.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { OverdueMark, Score } from '../decision-badges.tsx';
import { DecisionLink } from '../decision-link.tsx';
import { type Decision, isOverdue, type Status } from '../decision-words.ts';
import { changeDecision } from '../use-change-decision.ts';
import { AuthorName, AuthorNames } from './author-names.tsx';

interface Move {
  decision: Decision;
  to: Status;
}

/** The decisions by status. */
export default function DecisionBoard({ decisions, isPart }: { decisions: Decision[]; isPart: boolean }) {
  const { id: workspaceId, may } = useWorkspace();
  const mutationKey = ['move-decision', workspaceId];
  const queryClient = useQueryClient();
  const move = useMutation({
    mutationKey,
    mutationFn: moveDecision,
    onSuccess: (_, { decision, to }) => notifyDone(t.moved(decision.title, words.status[to])),
    onSettled: (_, error) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.metrics(workspaceId) });
      const read = queryClient.invalidateQueries({ queryKey: queryKeys.decisions(workspaceId) });
      // The card stays where it was put until the list has it there, and goes back at once otherwise.
      return error === null ? read : undefined;
    },
  });
  const moves = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Move,
  });
  const moving = new Map(moves.map(({ decision, to }) => [decision.id, to]));
  return (
    <AuthorNames>
      <Board
        columns={words.status}
        items={decisions}
        columnOf={({ id, status }) => moving.get(id) ?? status}
        isPart={isPart}
        move={may('member') ? (decision, to) => move.mutate({ decision, to }) : null}
        moving={new Set(moving.keys())}
      >
        {(decision) => (
          <>
            <DecisionLink id={decision.id}>{decision.title}</DecisionLink>
            <div className="board-facts">
              <Score score={decision.quality_score} /> {decision.decision_type}
              {isOverdue(decision) && <OverdueMark />}
            </div>
            <div className="board-facts">
              <AuthorName id={decision.created_by} />
            </div>
          </>
        )}
      </Board>
    </AuthorNames>
  );
}

/** Changes the status also if somebody else has changed another field meanwhile. */
async function moveDecision({ decision: base, to }: Move): Promise<Decision> {
  const body = { status: to };
  try {
    return await changeDecision({ base, body });
  } catch (error) {
    if (!hasCode(error, 'PRECONDITION_FAILED')) throw error;
    const newest = await api.get('/decisions/{id}', { id: base.id, workspaceId: base.workspace_id });
    if (newest.status === to) return newest;
    if (newest.status === base.status) return changeDecision({ base: newest, body });
    const detail = t.movedBefore(base.title, words.status[newest.status]);
    const local: LocalError['local'] = { title: t.notMoved, detail, isFinal: true };
    throw Object.assign(new Error(t.notMoved, { cause: error }), { local });
  }
}
