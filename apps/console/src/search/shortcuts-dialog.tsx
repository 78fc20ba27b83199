import { Kbd, Stack, Switch, Title } from '@mantine/core';
import { useState } from 'react';
import { searchTexts as t } from '../texts/search.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { areOn, turn } from '../ui/list/single-keys.ts';
import { titleOf } from './destinations.ts';
import { PAGE_KEYS } from './shortcuts.ts';

type Keys = [keys: string[], what: string][];

/** Shortcuts of the whole console. */
function consoleKeys(): Keys {
  const { shortcuts } = t;
  return [
    [[ui.ctrl, 'K'], shortcuts.open],
    [['/'], ui.search],
    [['c'], titleOf('newDecision')],
    ...Object.entries(PAGE_KEYS).map(([key, page]): Keys[number] => [['g', key], titleOf(page)]),
    [['j'], shortcuts.nextRow],
    [['k'], shortcuts.rowBefore],
    [['x'], shortcuts.selectRow],
    [['e'], shortcuts.edit],
    [['o'], shortcuts.log],
    [['r'], shortcuts.review],
    [[ui.ctrl, 'Enter'], shortcuts.submit],
    [['?'], shortcuts.list],
  ];
}

function canvasKeys(): Keys {
  const { shortcuts, keyNames } = t;
  return [
    [['F2'], shortcuts.rename],
    [['Enter'], shortcuts.openNode],
    [['c'], shortcuts.connect],
    [[keyNames.shift, keyNames.drag], shortcuts.lasso],
    [[ui.ctrl, keyNames.click], shortcuts.pick],
    [[ui.ctrl, 'A'], shortcuts.all],
    [[ui.ctrl, 'C'], shortcuts.copy],
    [[ui.ctrl, 'V'], shortcuts.paste],
    [[ui.ctrl, 'D'], shortcuts.duplicate],
    [[keyNames.delete], shortcuts.delete],
    [[ui.ctrl, 'Z'], shortcuts.undo],
    [[ui.ctrl, keyNames.shift, 'Z'], shortcuts.redo],
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

function KeyTable({ label, keys: rows }: { label: string; keys: Keys }) {
  return (
    <table className="table" aria-label={label}>
      <tbody>
        {rows.map(([keys, what]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td style={{ whiteSpace: 'nowrap' }}>
              {keys.map((key) => (
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
