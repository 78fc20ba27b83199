import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { bodyOf, type DecisionBody, type DecisionEntries } from '../decision-entries.ts';
import { decisionKeys } from '../decision-keys.ts';

const REST_MS = 800;
/** Scoring counts among 30 changes a minute: it leaves half of them to the rest of the console. */
const INTERVAL_MS = 4_000;

/** The quality of what is being written, shortly after the writer pauses. A refusal leaves the score before. */
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

/** A draft without a title is scored as well; one whose forecast is no number yet, as without it. */
function scoredOf(entries: DecisionEntries): DecisionBody {
  const { title, outcomeConfidence, ...others } = bodyOf(entries);
  const isNumber = outcomeConfidence !== null && outcomeConfidence >= 0 && outcomeConfidence <= 1;
  return { ...others, ...(title && { title }), ...(isNumber && { outcomeConfidence }) };
}

/** The value once it rests, at most once in INTERVAL_MS. */
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
