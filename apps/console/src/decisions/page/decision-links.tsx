import { Group, List, Text, Title } from '@mantine/core';
import { api, type Schemas } from '../../api/client.ts';
import { decisionPageTexts } from '../../texts/decision-page.ts';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { usePagesAfter } from '../../ui/list/use-paged.ts';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Hint } from '../../ui/text/hint.ts';
import { FramedSection } from '../../ui/text/section.tsx';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import { DecisionStatus } from '../decision-badges.tsx';
import { decisionKeys } from '../decision-keys.ts';
import { DecisionLink } from '../decision-link.tsx';
import { Editable, type Editing } from './editable.tsx';

/** The chain of superseded decisions, latest first, and related ones. */
export function DecisionLinks(props: { id: string; first: Schemas['DecisionLinks']; editing: Editing }) {
  const { id, first, editing } = props;
  const t = decisionPageTexts.links;
  const { id: workspaceId } = useWorkspace();
  const links = usePagesAfter(first, {
    queryKey: [...decisionKeys.one(workspaceId, id), 'links'],
    changesWith: ['decision.*'],
    about: id,
    fetchPage: (at) => api.get('/decisions/{id}/links', { id, workspaceId, ...at }),
  });
  const { chain, chain_complete: isComplete } = first;
  const related = links.items.filter(({ kind }) => kind === 'relates');
  const isEmpty = chain.length < 2 && related.length === 0;
  return (
    <FramedSection title={t.title}>
      <Editable section="links" editing={editing}>
        {links.isError && <ProblemAlert error={links.error} retry={links.refetch} />}
        {isEmpty && <Hint>{t.none}</Hint>}
        {chain.length > 1 && <Chain chain={chain} isComplete={isComplete} />}
        {related.length > 0 && (
          <>
            <Title order={3} size="h6" mt="md" mb="2xs">
              {t.related}
            </Title>
            <List size="sm" spacing="2xs">
              {related.map((link) => (
                <List.Item key={link.decision_id}>
                  <DecisionLink id={link.decision_id}>{link.title}</DecisionLink>
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Editable>
      <LoadMore query={links} />
    </FramedSection>
  );
}

function Chain({ chain, isComplete }: { chain: Schemas['DecisionChainEntry'][]; isComplete: boolean }) {
  const t = decisionPageTexts.links;
  return (
    <>
      <Title order={3} size="h6" mb="2xs">
        {t.chain}
      </Title>
      <List type="ordered" size="sm" spacing="xs">
        {chain.map(({ decision_id, title, status, steps }) => (
          <List.Item key={decision_id}>
            <Group gap="xs" {...(steps === 0 && { 'aria-current': 'true' as const })}>
              {steps === 0 ? (
                <Text size="sm" fw={600}>
                  {title}
                </Text>
              ) : (
                <DecisionLink id={decision_id}>{title}</DecisionLink>
              )}
              <DecisionStatus status={status} />
            </Group>
          </List.Item>
        ))}
      </List>
      {!isComplete && <Hint mt="2xs">{t.continues}</Hint>}
    </>
  );
}
