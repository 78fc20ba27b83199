import { Link } from '@tanstack/react-router';
import { boardTexts as t } from '../../texts/board.ts';
import './layouts.css';

const LINK = {
  to: '.',
  activeOptions: { exact: true, includeSearch: true },
  className: 'place mantine-focus-auto',
  preload: false,
} as const;

/** Links to the two layouts of a page: a board, and what it is otherwise. */
export function Layouts({ other }: { other: string }) {
  return (
    <nav className="layouts" aria-label={t.layout}>
      <Link {...LINK} search={({ board: _, ...others }) => others}>
        {other}
      </Link>
      <Link {...LINK} search={(known) => ({ ...known, board: true })}>
        {t.board}
      </Link>
    </nav>
  );
}
