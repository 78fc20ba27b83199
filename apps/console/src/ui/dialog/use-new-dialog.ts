import { useLocation, useRouter } from '@tanstack/react-router';

/** Whether the page's dialog for a new record is open. The address opens it too: it ends with `#new`. */
export function useNewDialog(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const router = useRouter();
  const isOpen = useLocation({ select: ({ hash }) => hash === 'new' });
  function setOpen(open: boolean): void {
    const { pathname, searchStr } = router.state.location;
    // The dialog itself asks before input is lost.
    router.history.replace(`${pathname}${searchStr}${open ? '#new' : ''}`, undefined, {
      ignoreBlocker: true,
    });
  }
  return [isOpen, setOpen];
}
