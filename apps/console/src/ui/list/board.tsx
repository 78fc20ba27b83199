import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { boardTexts as t } from '../../texts/board.ts';
import { number } from '../../texts/format.ts';
import { MoreAction, MoreMenu } from '../dialog/more-menu.tsx';
import './board.css';

interface Card {
  id: string;
  title: string;
}

/** Cards in columns. A card is moved by dragging it, or from its menu. */
export function Board<Item extends Card, Column extends string>(props: {
  /** The columns with their names, in their order. */
  columns: Record<Column, string>;
  items: readonly Item[];
  columnOf: (item: Item) => Column;
  /** Whether a column may have more cards than those here. */
  isPart?: boolean;
  /** Null where the user may not move any card. */
  move: ((item: Item, to: Column) => void) | null;
  /** Creates a card in a column. */
  add?: ((column: Column, name: string) => ReactNode) | null;
  /** The cards that are being moved. */
  moving?: ReadonlySet<string>;
  /** The content of a card, which begins with its link or button. */
  children: (item: Item) => ReactNode;
}) {
  const { columns, items, columnOf, isPart = false, move, add, moving, children } = props;
  const [dragged, setDragged] = useState<Item | null>(null);
  const [over, setOver] = useState<Column | null>(null);
  const movedByKey = useRef<string | null>(null);
  const known = useRef(new WeakSet<HTMLLIElement>());
  // A card in another column is another element, and the one with the focus is gone.
  const keepFocus = (id: string) => (card: HTMLLIElement | null) => {
    if (!card || known.current.has(card)) return;
    known.current.add(card);
    if (movedByKey.current === id && document.activeElement === document.body)
      card.querySelector<HTMLElement>('a, button')?.focus();
  };
  const names = Object.entries(columns) as [Column, string][];
  return (
    <div className="board">
      {names.map(([column, name]) => {
        const cards = items.filter((item) => columnOf(item) === column);
        const isTarget = dragged !== null && columnOf(dragged) !== column;
        const dragOver = (event: SyntheticEvent) => {
          if (!isTarget) return;
          event.preventDefault();
          setOver(column);
        };
        return (
          <section
            key={column}
            aria-label={name}
            data-over={(isTarget && over === column) || undefined}
            onDragOver={dragOver}
            onDrop={(event) => {
              event.preventDefault();
              if (isTarget) move?.(dragged, column);
              // The element that was dragged is gone, without an event.
              setDragged(null);
            }}
          >
            <h2>
              {name} <span>{number(cards.length) + (isPart ? '+' : '')}</span>
            </h2>
            <ul>
              {cards.map((item) => (
                <li
                  key={item.id}
                  id={item.id}
                  ref={keepFocus(item.id)}
                  draggable={move !== null && !moving?.has(item.id)}
                  data-moving={moving?.has(item.id) || undefined}
                  onDragStart={(event) => {
                    // Firefox drags only what has data.
                    event.dataTransfer.setData('text/plain', item.title);
                    setDragged(item);
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <div>{children(item)}</div>
                  {move && (
                    <MoreMenu of={item.title} isBusy={moving?.has(item.id) === true}>
                      {names
                        .filter(([other]) => other !== column)
                        .map(([other, otherName]) => (
                          <MoreAction
                            key={other}
                            onClick={() => {
                              movedByKey.current = item.id;
                              move(item, other);
                            }}
                          >
                            {t.moveTo(otherName)}
                          </MoreAction>
                        ))}
                    </MoreMenu>
                  )}
                </li>
              ))}
            </ul>
            {add?.(column, name)}
          </section>
        );
      })}
    </div>
  );
}
