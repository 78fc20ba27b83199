import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { bodyOf, type DecisionBody, type DecisionEntries } from '../decision-entries.ts';
import { decisionKeys } from '../decision-keys.ts';

const REST_MS = 800;
/** Scoring counts against the limit of 30 mutations per minute; this leaves half of them. */
const INTERVAL_MS = 4_000;

/** Scores the draft shortly after the user stops typing. If a request fails, the previous score remains. */
export function useDraftQuality(entries: DecisionEntries) {
  const { id: workspaceId } = useWorkspace();
  const draft = useSettled(JSON.stringify(scoredOf(entries)));
  return useQuery({
    queryKey: [...decisionKeys.draft(workspaceId), draft],
    queryFn: ({ signal }) => {
      const body = JSON.parse(draft) as DecisionBody;
      return unwrap(api.POST('/quality', { params: { query: { workspaceId } }, body, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Scores drafts without a title too, and ignores a forecast that is not a number yet. */
function scoredOf(entries: DecisionEntries): DecisionBody {
  const { title, outcomeConfidence, ...others } = bodyOf(entries);
  const isNumber = outcomeConfidence !== null && outcomeConfidence >= 0 && outcomeConfidence <= 1;
  return { ...others, ...(title && { title }), ...(isNumber && { outcomeConfidence }) };
}

/** Returns the value after a pause, at most once per INTERVAL_MS. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  const settledAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(REST_MS, settledAt.current + INTERVAL_MS - performance.now());
    const timer = setTimeout(() => {
      settledAt.current = performance.now();
      setSettled(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
