import { Kbd, Stack, Switch, Table } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { areOn, PAGE_KEYS, turn } from './shortcuts.ts';

const KEYS: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], 'Search, open a page or start an action'],
  [['/'], 'Search'],
  [['c'], 'New decision'],
  ...Object.entries(PAGE_KEYS).map(([key, { name }]): [string[], string] => [['g', key], name]),
  [['?'], 'This list'],
];

/** Lists the keyboard shortcuts, and turns those of single keys off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areOn);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Stack>
        <Table aria-label="Keyboard shortcuts">
          <Table.Tbody>
            {KEYS.map(([keys, what]) => (
              <Table.Tr key={what}>
                <Table.Th scope="row" fw={400}>
                  {what}
                </Table.Th>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  {keys.map((key) => (
                    <Kbd key={key} me={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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
