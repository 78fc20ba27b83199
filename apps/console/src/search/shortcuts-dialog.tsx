import { Kbd, Stack, Switch, Title } from '@mantine/core';
import { useState } from 'react';
import { searchTexts as t } from '../texts/search.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { areOn, turn } from '../ui/list/single-keys.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { titleOf } from './destinations.ts';
import { PAGE_KEYS } from './shortcuts.ts';

/** `isChange`: only who may write can use it. */
type Keys = [keys: string[], what: string, isChange?: boolean][];

/** Shortcuts of the whole console. */
function consoleKeys(): Keys {
  const { shortcuts } = t;
  return [
    [[ui.ctrl, 'K'], shortcuts.open],
    [['/'], ui.search],
    [['c'], titleOf('newDecision'), true],
    ...Object.entries(PAGE_KEYS).map(([key, page]): Keys[number] => [['g', key], titleOf(page)]),
    [['j'], shortcuts.nextRow],
    [['k'], shortcuts.rowBefore],
    [['x'], shortcuts.selectRow, true],
    [['e'], shortcuts.edit, true],
    [['o'], shortcuts.log, true],
    [['r'], shortcuts.review, true],
    [[ui.ctrl, 'Enter'], shortcuts.submit],
    [['?'], shortcuts.list],
  ];
}

function canvasKeys(): Keys {
  const { shortcuts, keyNames } = t;
  return [
    [['F2'], shortcuts.rename, true],
    [['Enter'], shortcuts.openNode],
    [['c'], shortcuts.connect, true],
    [[keyNames.shift, keyNames.drag], shortcuts.lasso],
    [[ui.ctrl, keyNames.click], shortcuts.pick],
    [[ui.ctrl, 'A'], shortcuts.all],
    [[ui.ctrl, 'C'], shortcuts.copy],
    [[ui.ctrl, 'V'], shortcuts.paste, true],
    [[ui.ctrl, 'D'], shortcuts.duplicate, true],
    [[keyNames.delete], shortcuts.delete, true],
    [[ui.ctrl, 'Z'], shortcuts.undo, true],
    [[ui.ctrl, keyNames.shift, 'Z'], shortcuts.redo, true],
  ];
}

/** Lists the keyboard shortcuts, and turns the shortcuts of single keys off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areOn);
  const title = titleOf('shortcuts');
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Switch
          label={t.shortcuts.single}
          description={t.shortcuts.singleHint}
          checked={isOn}
          onChange={(event) => {
            turn(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
        <KeyTable label={title} keys={consoleKeys()} />
        <Title order={3} size="h5">
          {t.shortcuts.canvas}
        </Title>
        <KeyTable label={t.shortcuts.canvas} keys={canvasKeys()} />
      </Stack>
    </Dialog>
  );
}

function KeyTable({ label, keys }: { label: string; keys: Keys }) {
  const { may } = useWorkspace();
  const rows = keys.filter(([, , isChange]) => !isChange || may('member'));
  return (
    <table className="table" aria-label={label}>
      <tbody>
        {rows.map(([row, what]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td style={{ whiteSpace: 'nowrap' }}>
              {row.map((key) => (
                <Kbd key={key} me="2xs">
                  {key}
                </Kbd>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
