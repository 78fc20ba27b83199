import { Button, Kbd, Menu } from '@mantine/core';
import { useOnSelectionChange } from '@xyflow/react';
import { BoxSelect } from 'lucide-react';
import { useCallback, useState } from 'react';
import { canvasTexts as t } from '../texts/canvas.ts';
import { number } from '../texts/format.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { ALIGNMENTS, type Alignment } from './graph/align.ts';

/** Selects nodes, and changes the selected ones. */
export function SelectionMenu(props: {
  mayEdit: boolean;
  /** Whether dragging draws a rectangle instead of moving the canvas. */
  isLasso: boolean;
  onLasso: (isLasso: boolean) => void;
  onSelectAll: () => void;
  onDuplicate: () => void;
  onAlign: (way: Alignment) => void;
  onRemove: () => void;
}) {
  const { mayEdit } = props;
  const [count, setCount] = useState(0);
  useOnSelectionChange({ onChange: useCallback(({ nodes }) => setCount(nodes.length), []) });
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<BoxSelect size={16} aria-hidden />}>
          {/* The label is a flex box, which drops spaces at the edges of its parts. */}
          {count > 0 && `${number(count)}\u00a0`}
          <span className="tool-label">{count === 0 ? t.select : t.selected}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item rightSection={<Keys keys={`${ui.ctrl} A`} />} onClick={props.onSelectAll}>
          {t.selectAll}
        </Menu.Item>
        <Menu.CheckboxItem checked={props.isLasso} onChange={props.onLasso}>
          {t.lasso}
        </Menu.CheckboxItem>
        {mayEdit && count > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item rightSection={<Keys keys={`${ui.ctrl} D`} />} onClick={props.onDuplicate}>
              {t.duplicate}
            </Menu.Item>
            {ALIGNMENTS.map(
              ({ way, least }) =>
                count >= least && (
                  <Menu.Item key={way} onClick={() => props.onAlign(way)}>
                    {t.align[way]}
                  </Menu.Item>
                ),
            )}
            <Menu.Item rightSection={<Keys keys={t.deleteKey} />} onClick={props.onRemove}>
              {ui.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const Keys = ({ keys }: { keys: string }) => (
  <Kbd size="xs" aria-hidden>
    {keys}
  </Kbd>
);
