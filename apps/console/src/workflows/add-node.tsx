import { Button, type ButtonProps, Menu } from '@mantine/core';
import { Plus } from 'lucide-react';
import { canvasTexts as t } from '../texts/canvas.ts';
import { nodesTexts } from '../texts/nodes.ts';
import type { NodeType } from './graph/graph.ts';
import { NODE_KINDS, NODE_TYPES } from './node-kinds.ts';

/** A button that offers the types of a new node. */
export function AddNode(props: ButtonProps & { 'aria-label'?: string; onAdd: (type: NodeType) => void }) {
  const { onAdd, ...look } = props;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button leftSection={<Plus size={16} aria-hidden />} {...look}>
          <span className="tool-label">{t.add}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {NODE_TYPES.map((type) => {
          const { icon: Icon, color } = NODE_KINDS[type];
          return (
            <Menu.Item
              key={type}
              leftSection={<Icon size={16} aria-hidden color={`var(--mantine-color-${color}-light-color)`} />}
              onClick={() => onAdd(type)}
            >
              {nodesTexts.types[type]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
