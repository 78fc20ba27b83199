import { Kbd, Stack, Switch, Table, Title } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { areOn, PAGE_KEYS, turn } from './shortcuts.ts';

const KEYS: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], 'Search, open a page or start an action'],
  [['/'], 'Search'],
  [['c'], 'New decision'],
  ...Object.entries(PAGE_KEYS).map(([key, { name }]): [string[], string] => [['g', key], name]),
  [['e'], 'Edit the section of a decision that has the focus'],
  [['Ctrl', 'Enter'], 'Submit the form, or post the message'],
  [['?'], 'This list'],
];

const CANVAS_KEYS: [keys: string[], what: string][] = [
  [['F2'], 'Rename the node, as a double click does'],
  [['Enter'], 'Open the node or the edge'],
  [['c'], 'Connect the node to another one'],
  [['Shift', 'drag'], 'Select nodes with a rectangle'],
  [['Ctrl', 'click'], 'Add a node to the selection, or take it out'],
  [['Ctrl', 'A'], 'Select all nodes'],
  [['Ctrl', 'C'], 'Copy the selected nodes'],
  [['Ctrl', 'V'], 'Paste nodes, also from another workflow'],
  [['Ctrl', 'D'], 'Duplicate the selected nodes'],
  [['Delete'], 'Delete what is selected'],
  [['Ctrl', 'Z'], 'Undo'],
  [['Ctrl', 'Shift', 'Z'], 'Redo'],
];

/** Lists the keyboard shortcuts, and turns those of single keys off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areOn);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack>
        <KeyTable label="Keyboard shortcuts" keys={KEYS} />
        <Title order={3} size="h5">
          On the canvas of a workflow
        </Title>
        <KeyTable label="On the canvas of a workflow" keys={CANVAS_KEYS} />
        <Switch
          label="Single keys work as shortcuts"
          description="Ctrl K always works."
          checked={isOn}
          onChange={(event) => {
            turn(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
      </Stack>
    </Dialog>
  );
}

function KeyTable({ label, keys: rows }: { label: string; keys: typeof KEYS }) {
  return (
    <Table aria-label={label}>
      <Table.Tbody>
        {rows.map(([keys, what]) => (
          <Table.Tr key={what}>
            <Table.Th scope="row" fw={400}>
              {what}
            </Table.Th>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              {keys.map((key) => (
                <Kbd key={key} me="2xs">
                  {key}
                </Kbd>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
