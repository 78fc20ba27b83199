import { Button, Popover, type PopoverProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A button above a list, with a popover. The first press of the button loads it, so it is open at first. */
export function ToolbarPopover(props: {
  label: string;
  icon: LucideIcon;
  position: NonNullable<PopoverProps['position']>;
  width?: number;
  children: (close: () => void) => ReactNode;
}) {
  const { label, icon: Icon, children, ...place } = props;
  const [isOpen, { toggle, close, set }] = useDisclosure(true);
  return (
    <Popover opened={isOpen} onChange={set} trapFocus withRoles={false} withinPortal={false} {...place}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{children(close)}</Popover.Dropdown>
    </Popover>
  );
}
