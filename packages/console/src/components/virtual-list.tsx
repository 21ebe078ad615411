import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { asProblem, type RedriveClientError } from '../api.ts';
import { clock } from '../clock.ts';
import { absolute } from '../format.ts';
import { useListKeys } from '../keys.ts';
import { type Column, cells, headCells, TickBox, type Ticked, useTicks } from './list.tsx';
import { ErrorNotice } from './notices.tsx';
import { type RowAct, RowActs } from './row-acts.tsx';
import { type ListSource, RowWindows } from './row-windows.ts';

export type { ListPage, ListSource } from './row-windows.ts';

export interface VirtualListProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly source: ListSource<Row>;
  readonly idOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly openId?: string | undefined;
  /** With it, rows have a box to tick. */
  readonly ticked?: Ticked | undefined;
  /** The menu that `.` opens. */
  readonly actsOf?: ((row: Row) => readonly RowAct[]) | undefined;
  readonly empty?: ComponentChildren;
}

/** Browsers clamp the height of an element at some 17 million pixels. */
const MAX_HEIGHT = 8_000_000;
const OVERSCAN = 8;
const LABEL_MS = 900;

interface Scroll {
  top: number;
  /** Of all rows, as if no browser clamped their height. */
  virtualTop: number;
  height: number;
  timer?: { cancel(): void };
}

/** A list of any length: only the rows in sight exist, and their windows are loaded as they come into sight. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { label, columns, source, idOf, onOpen, openId, ticked, actsOf, empty } = props;
  const box = useRef<HTMLDivElement>(null);
  const at = useSignal(-1);
  const [, redraw] = useReducer((n: number, _: undefined) => n + 1, 0);
  const [problem, setProblem] = useState<RedriveClientError | undefined>(undefined);
  const [isMoving, setMoving] = useState(false);
  const [acts, showActs] = useState<readonly RowAct[] | undefined>(undefined);
  const scroll = useRef<Scroll>({ top: 0, virtualTop: 0, height: 600 });
  const shown = useRef<RowWindows<Row> | undefined>(undefined);
  const coming = useRef<RowWindows<Row> | undefined>(undefined);

  const rowHeight = matchMedia('(max-width: 760px)').matches ? 44 : 32;
  const latest = useRef(source);
  latest.current = source;
  const isOld = useRef(false);
  const load = (isOther: boolean) => {
    const windows: RowWindows<Row> = new RowWindows(latest.current, (error) => {
      setProblem(error === undefined ? undefined : asProblem(error));
      if (coming.current === windows) {
        coming.current = undefined;
        // The old rows stay until the new ones are here.
        if (error === undefined) {
          shown.current = windows;
          if (isOther) box.current?.scrollTo(0, 0);
        }
        if (isOld.current) renew();
      }
      redraw(undefined);
    });
    coming.current = windows;
    isOld.current = false;
    windows.want(0, 0);
  };
  const renew = () => {
    // Rows that are replaced before they are here are never shown.
    if (coming.current !== undefined) isOld.current = true;
    // Rows that somebody reads do not move: only the top of a list is read again.
    else if (scroll.current.virtualTop < rowHeight) load(false);
  };
  const key = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isOther = key.current !== source.key;
    key.current = source.key;
    if (!isOther) return renew();
    load(true);
    at.value = -1;
  }, [source.key, source.version]);

  const windows = shown.current;
  const total = windows?.total ?? 0;
  const full = total * rowHeight;
  const height = Math.min(full, MAX_HEIGHT);
  const { virtualTop, height: viewport } = scroll.current;
  const first = Math.max(0, Math.floor(virtualTop / rowHeight) - OVERSCAN);
  const last = Math.min(total - 1, Math.ceil((virtualTop + viewport) / rowHeight) + OVERSCAN);
  useEffect(() => windows?.want(first, Math.max(first, last)), [windows, first, last]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => {
      scroll.current.height = element.clientHeight;
      redraw(undefined);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    const now = scroll.current;
    const { scrollTop } = element;
    const delta = scrollTop - now.top;
    now.top = scrollTop;
    const range = Math.max(1, height - now.height);
    const mapped = full <= MAX_HEIGHT ? scrollTop : (scrollTop / range) * (full - now.height);
    // Where the height is clamped, a small step of the wheel is still as many pixels of rows.
    const isSmall = Math.abs(delta) < now.height && scrollTop > 0 && scrollTop < range;
    now.virtualTop = full > MAX_HEIGHT && isSmall ? now.virtualTop + delta : mapped;
    now.virtualTop = Math.max(0, Math.min(full - now.height, now.virtualTop));
    now.timer?.cancel();
    now.timer = clock.setTimer(LABEL_MS, () => setMoving(false));
    setMoving(true);
    redraw(undefined);
  };

  const tick = useTicks(ticked, (index) => windows?.row(index), idOf);
  const withRow = (act: (row: Row) => void) => (index: number) => {
    const row = windows?.row(index);
    if (row !== undefined) act(row);
  };
  useListKeys({
    count: total,
    at,
    open: withRow(onOpen),
    tick,
    acts: withRow((row) => showActs(actsOf?.(row))),
    step: (by) => {
      const index = windows?.indexOf((row) => idOf(row) === openId) ?? -1;
      if (index >= 0) withRow(onOpen)(index + by);
    },
  });
  // A row that was moved to by keys comes into sight.
  useEffect(
    () =>
      at.subscribe((index) => {
        const element = box.current;
        if (element === null || index < 0) return;
        const top = index * rowHeight - scroll.current.virtualTop;
        if (top < 0) element.scrollTop += top;
        else if (top + rowHeight * 2 > scroll.current.height)
          element.scrollTop += top + rowHeight * 2 - scroll.current.height;
      }),
    [],
  );

  const offset = scroll.current.top + first * rowHeight - virtualTop;
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const timeMs = isMoving ? windows?.timeAt(Math.floor(virtualTop / rowHeight)) : undefined;
  return (
    <div class="vlist">
      {problem && (
        <ErrorNotice problem={problem} title="The list did not load." onRetry={() => load(false)} />
      )}
      {windows?.isEmpty && empty}
      <div class="vscroll" ref={box} onScroll={onScroll} hidden={windows?.isEmpty === true}>
        {timeMs !== undefined && <div class="thumb">{absolute(timeMs)}</div>}
        <div class="vspace" style={{ height: `${height + (total > 0 ? rowHeight : 0)}px` }}>
          <table
            class="rows32"
            aria-label={label}
            aria-rowcount={total + 1}
            style={{ transform: `translateY(${offset > 0 ? offset : 0}px)` }}
          >
            <thead>
              <tr aria-rowindex={1}>
                {ticked && (
                  <th scope="col" class="box">
                    <span class="sr">Ticked</span>
                  </th>
                )}
                {headCells(columns)}
              </tr>
            </thead>
            <tbody>
              {rows.map((index) => {
                const row = windows?.row(index);
                if (row === undefined) {
                  return (
                    // The same elements while somebody scrolls fast: making others costs frames.
                    <tr key={index - first} aria-rowindex={index + 2}>
                      <td colSpan={columns.length + (ticked ? 1 : 0)}>
                        <span class="sk" style={{ width: `${55 + ((index * 17) % 35)}%` }} />
                      </td>
                    </tr>
                  );
                }
                const id = idOf(row);
                return (
                  <tr
                    key={id}
                    data-row={index}
                    tabIndex={at.value === index || (at.value < 0 && index === 0) ? 0 : -1}
                    aria-rowindex={index + 2}
                    aria-selected={id === openId}
                    onFocus={() => {
                      at.value = index;
                    }}
                    onClick={({ target }) => {
                      if (!(target instanceof Element) || target.closest('a, button, input'))
                        return;
                      at.value = index;
                      onOpen(row);
                    }}
                  >
                    {ticked && (
                      <td class="box">
                        <TickBox {...{ id, ticked }} onTick={(isRange) => tick(index, isRange)} />
                      </td>
                    )}
                    {cells(columns, row)}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </div>
      {acts && <RowActs acts={acts} onClose={() => showActs(undefined)} />}
    </div>
  );
}
