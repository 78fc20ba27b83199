import { ActionIcon } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { uiTexts as t } from '../../texts/ui.ts';
import { ButtonPopover } from './button-popover.tsx';

/** The look of a small button in a row, or beside a message. */
export const IN_ROW = { variant: 'subtle', color: 'gray', size: 24 } as const;

/** The rare and the dangerous actions of a page or a row, behind "…". */
export function MoreMenu(props: { of?: string; isBusy?: boolean; children: ReactNode }) {
  const { of, isBusy = false, children } = props;
  const look = of === undefined ? ({ variant: 'default', size: 36 } as const) : IN_ROW;
  return (
    <ButtonPopover
      side="end"
      button={(popoverTarget) => (
        <ActionIcon
          {...look}
          loading={isBusy}
          popoverTarget={popoverTarget}
          aria-label={of === undefined ? t.more : t.moreOf(of)}
        >
          <Ellipsis size={16} />
        </ActionIcon>
      )}
    >
      {children}
    </ButtonPopover>
  );
}

/** An action of a `MoreMenu`. */
export function MoreAction({ isDanger, ...others }: ComponentProps<'button'> & { isDanger?: boolean }) {
  return <button type="button" className="place mantine-focus-auto" data-danger={isDanger} {...others} />;
}
