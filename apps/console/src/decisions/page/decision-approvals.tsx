import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import { decisionTexts } from '../../texts/decision.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { list } from '../../texts/format.ts';
import { threadTexts } from '../../texts/thread.ts';
import { FocusedPart } from '../../ui/dialog/early-typing.tsx';
import { lazyPart } from '../../ui/lazy-page.ts';
import { ChangesOnDemand } from '../../ui/list/changes-on-demand.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/text/section.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import type { DecisionParts } from '../decision-query.ts';
import { fieldValue } from '../field-in-words.ts';
import { giveVerdict } from './give-verdict.ts';
import { useDecisionPart } from './use-decision-part.ts';

const ObjectionDialog = lazyPart(() => import('./objection-dialog.tsx'));
const ApprovalRequestDialog = lazyPart(() => import('./approval-request-dialog.tsx'));

type Approvals = DecisionParts['approvals'];
type Approval = Approvals['data'][number];
const HASH_CHARACTERS = 12;

/** The verdicts on the texts of a decision, and buttons for a verdict on the present one. */
export function DecisionApprovals({ id, first }: { id: string; first: Approvals }) {
  const t = decisionPageTexts.approvals;
  const { id: workspaceId, may } = useWorkspace();
  const [open, setOpen] = useState<'objection' | 'request' | null>(null);
  const approvals = useDecisionPart(id, 'approvals', first);
  const give = useChange({
    mutationFn: (verdict: 'approve' | 'abstain') =>
      giveVerdict(workspaceId, id, { verdict, contentSha256: first.content_sha256 }),
    changes: [queryKeys.decisions(workspaceId)],
    done: t.given,
  });
  const close = () => setOpen(null);
  return (
    <Section title={t.title}>
      <Standing approvals={first} />
      <Stack gap="xs">
        {approvals.items.map((approval) => (
          <Verdict key={approval.id} approval={approval} hasRule={first.rule !== null} />
        ))}
      </Stack>
      {approvals.isError && <ProblemAlert error={approvals.error} retry={approvals.refetch} />}
      <LoadMore query={approvals} />
      {may('member') && (
        <Group gap="xs" mt="sm">
          {(['approve', 'abstain'] as const).map((verdict) => (
            <Button
              key={verdict}
              variant="default"
              size="xs"
              disabled={give.isPending}
              onClick={() => give.mutate(verdict)}
            >
              {t.give[verdict]}
            </Button>
          ))}
          <Button variant="default" size="xs" onClick={() => setOpen('objection')}>
            {t.give.object}
          </Button>
          {(may('admin') || (first.rule?.members.length ?? 0) > 0) && (
            <Button variant="default" size="xs" onClick={() => setOpen('request')}>
              {t.ask}
            </Button>
          )}
        </Group>
      )}
      {open !== null && (
        <FocusedPart onClose={close}>
          {open === 'objection' ? (
            <ObjectionDialog id={id} contentSha256={first.content_sha256} onClose={close} />
          ) : (
            <ApprovalRequestDialog id={id} rule={first.rule} onClose={close} />
          )}
        </FocusedPart>
      )}
    </Section>
  );
}

/** The state of the approvals by the workspace's rule, and the people who were asked. */
function Standing({ approvals }: { approvals: Approvals }) {
  const t = decisionPageTexts.approvals;
  const { data, rule, missing, requested_of, requested_at } = approvals;
  const names = missing?.members.map(({ name }) => name ?? '') ?? [];
  const isNamed = rule !== null && rule.members.length > 0;
  const wanted = missing && names.length > missing.approvals ? 'disjunction' : 'conjunction';
  return (
    <Stack gap="2xs" mb="xs">
      {data.length === 0 && <Hint>{t.none}</Hint>}
      {rule && !missing && <Text size="sm">{t.complete}</Text>}
      {missing && (
        <Text size="sm">
          {isNamed && names.length < missing.approvals
            ? t.tooFew(missing.approvals)
            : t.missing(missing.approvals, isNamed ? list(names, wanted) : t.anyone[missing.role])}{' '}
          {rule?.mode === 'enforced' && t.enforced}
        </Text>
      )}
      {requested_at && (
        <Hint>
          {t.asked(
            list(requested_of.map(({ name }) => name ?? threadTexts.formerMember)),
            <Moment at={requested_at} />,
          )}
        </Hint>
      )}
    </Stack>
  );
}

function Verdict({ approval, hasRule }: { approval: Approval; hasRule: boolean }) {
  const t = decisionPageTexts.approvals;
  const { verdict, approver, state, reason, counts, difference, content_sha256 } = approval;
  const { imported_by, created_at } = approval;
  const [isOpen, setOpen] = useState(false);
  const who = approver.name ?? approver.id ?? '';
  const isIdle = hasRule && state === 'current' && verdict === 'approve' && !counts;
  const changes = Object.entries(difference ?? {}).map(([field, { before, after }]) => [
    field,
    { before: fieldValue(field, before), after: fieldValue(field, after) },
  ]);
  return (
    <div>
      <Text size="sm" {...(state !== 'current' && { c: 'dimmed' })}>
        {t.said[verdict](<strong>{who}</strong>, <Moment at={created_at} />)}
        <ImportedBy author={imported_by} />: {t.state[state]}
        {isIdle && `, ${t.notCounted}`}{' '}
        <Code title={`${t.hash}: ${content_sha256}`}>{content_sha256.slice(0, HASH_CHARACTERS)}</Code>{' '}
        {changes.length > 0 && (
          <RowButton aria-expanded={isOpen} aria-label={t.compareOf(who)} onClick={() => setOpen(!isOpen)}>
            {t.compare}
          </RowButton>
        )}
      </Text>
      {reason && <Markdown size="sm">{reason}</Markdown>}
      {isOpen && (
        <ChangesOnDemand
          label={t.compareOf(who)}
          changes={Object.fromEntries(changes)}
          nameOf={decisionTexts.field}
        />
      )}
    </div>
  );
}
