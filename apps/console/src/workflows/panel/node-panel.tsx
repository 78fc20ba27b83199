import { ActionIcon, Badge, Button, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { isUserId, nameIn } from '../../api/person-entry.ts';
import { WatchSelect } from '../../inbox/watch-select.tsx';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { nodesTexts } from '../../texts/nodes.ts';
import { lazyPart } from '../../ui/lazy-page.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Hint } from '../../ui/text/hint.ts';
import type { Drafts } from '../../ui/unsaved.ts';
import { usePeople } from '../../workspace/people.ts';
import { useWorkspace } from '../../workspace/use-workspace.ts';
import type { Graph, NodeRecord } from '../graph/graph.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { NODE_KINDS } from '../node-kinds.ts';
import type { Draft } from './draft.ts';
import { GonePanel } from './gone-panel.tsx';
import { spell } from './json-object.ts';
import { NodeForm } from './node-form.tsx';
import { Panel } from './panel.tsx';

const Thread = lazyPart(() => import('../../threads/thread.tsx'));

/** The panel of a node: its form and thread. */
export default function NodePanel(props: {
  id: string;
  /** Whether its title has yet to be typed. */
  isNew: boolean;
  graph: Graph;
  store: GraphStore;
  drafts: Drafts<Draft>;
  /** Message drafts by node, or by edited message. */
  messages: Drafts<string>;
  onClose: () => void;
  onRemove: () => void;
  onConnect: () => void;
  onMove: (dx: number, dy: number) => void;
}) {
  const { id, graph, store, drafts, messages } = props;
  const [isNew, setNew] = useState(props.isNew);
  const mayEdit = useWorkspace().may('member');
  const node = graph.nodes.get(id);
  if (!node) {
    const close = () => {
      drafts.delete(id);
      messages.delete(id);
      props.onClose();
    };
    const draft = drafts.get(id);
    const typed = [draft && spell(draft.values), messages.get(id)].filter((text) => text !== undefined);
    return <GonePanel what="node" typed={typed} onClose={close} />;
  }
  const { icon: Icon } = NODE_KINDS[node.type];
  return (
    <Panel title={node.title} onClose={props.onClose}>
      <Stack gap="sm">
        <Group gap="xs">
          <Badge variant="default" leftSection={<Icon size={12} aria-hidden />}>
            {nodesTexts.types[node.type]}
          </Badge>
          <Badge variant="default">{nodesTexts.statuses[node.status]}</Badge>
          <WatchSelect type="node" id={id} />
        </Group>
        <Tabs defaultValue="details" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="details">{t.tabs.details}</Tabs.Tab>
            <Tabs.Tab value="thread">{t.tabs.thread}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="details">
            {node.external_id && <Hint mb="xs">{t.externalId(node.external_id)}</Hint>}
            {mayEdit ? (
              <Stack>
                <NodeForm
                  node={node}
                  isNew={isNew}
                  onSelected={() => setNew(false)}
                  graph={graph}
                  store={store}
                  drafts={drafts}
                />
                <MoveButtons onMove={props.onMove} />
                <Group gap="xs">
                  <Button variant="default" size="xs" onClick={props.onConnect}>
                    {t.connectTo}
                  </Button>
                  <Button variant="default" size="xs" onClick={props.onRemove}>
                    {t.remove}
                  </Button>
                </Group>
              </Stack>
            ) : (
              <ReadOnly node={node} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="thread">
            <LazyPart fallback={<Loading />}>
              <Thread topic={{ nodeId: id }} drafts={messages} />
            </LazyPart>
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Panel>
  );
}

function ReadOnly({ node }: { node: NodeRecord }) {
  const { assigned_to } = node;
  const people = usePeople(assigned_to !== null && isUserId(assigned_to)) ?? [];
  return (
    <Stack gap="xs">
      <Text>{t.assigned(assigned_to && nameIn(people, assigned_to))}</Text>
      <Code block dir="ltr">
        {spell(node.data)}
      </Code>
    </Stack>
  );
}

const STEP = 40;
const WAYS = [
  { way: 'left', icon: ArrowLeft, dx: -STEP, dy: 0 },
  { way: 'up', icon: ArrowUp, dx: 0, dy: -STEP },
  { way: 'down', icon: ArrowDown, dx: 0, dy: STEP },
  { way: 'right', icon: ArrowRight, dx: STEP, dy: 0 },
] as const;

/** Buttons that move a node, for users who cannot drag. */
function MoveButtons({ onMove }: { onMove: (dx: number, dy: number) => void }) {
  return (
    <Group gap="xs">
      <Text size="sm">{t.move.title}</Text>
      {/* The canvas is not mirrored, so the arrows are not either. */}
      <Group gap="xs" dir="ltr">
        {WAYS.map(({ way, icon: Icon, dx, dy }) => (
          <ActionIcon key={way} variant="default" aria-label={t.move[way]} onClick={() => onMove(dx, dy)}>
            <Icon size={16} />
          </ActionIcon>
        ))}
      </Group>
    </Group>
  );
}
