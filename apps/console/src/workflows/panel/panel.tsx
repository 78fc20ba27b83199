import { ActionIcon, Group, Title } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';

/** The side panel of a node or an edge. */
export function Panel(props: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <section
      className="workflow-panel"
      aria-label={props.title}
      onKeyDown={({ key, defaultPrevented }) => {
        // An open menu closes first.
        const isForPanel = !defaultPrevented && document.querySelector(':popover-open') === null;
        if (key === 'Escape' && isForPanel) props.onClose();
      }}
    >
      <Group className="panel-heading" justify="space-between" wrap="nowrap">
        <Title order={2} size="h4" lineClamp={1} title={props.title}>
          {props.title}
        </Title>
        <ActionIcon variant="default" size="lg" aria-label={t.close} onClick={props.onClose}>
          <X size={18} />
        </ActionIcon>
      </Group>
      {props.children}
    </section>
  );
}
