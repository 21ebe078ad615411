import { type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { num } from '../format.ts';
import { useListKeys } from '../keys.ts';
import { hrefWith, param, setParams } from '../router.ts';
import { Section } from './layout.tsx';

/** A column as data. `kind` has the classes of its cells: `n` a number, `hide-phone`, … */
export type Column<Row> = readonly [
  title: string,
  cell: (row: Row) => ComponentChildren,
  kind?: string,
];

export interface ListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  /** Titles over several columns, the first column apart. */
  readonly groups?: readonly (readonly [text: string, span: number])[];
  /** Rows open by click and Enter. `true`: the parameter `open` has the id. */
  readonly opens?: boolean | ((row: Row) => void);
  /** With it, rows have a box to tick. */
  readonly ticked?: Ticked | undefined;
  /** Below the open row. */
  readonly below?: (row: Row) => ComponentChildren;
  /** In place of a list without rows. */
  readonly empty?: ComponentChildren;
  /** `rows32`: rows of one line. */
  readonly className?: string;
}

/** A small table of rows, which may open. On a phone it scrolls inside itself. */
export function List<Row>(props: ListProps<Row>) {
  const { label, rows, idOf, groups, opens = false, ticked, below, className = '' } = props;
  const at = useSignal(-1);
  const isOpen = (row: Row) => opens === true && idOf(row) === param('open');
  const show = (row: Row | undefined) => {
    if (row === undefined || opens === false) return;
    if (opens !== true) opens(row);
    else setParams({ open: isOpen(row) ? undefined : idOf(row), act: undefined });
  };
  const step = (by: 1 | -1) => {
    const next = rows[rows.findIndex(isOpen) + by];
    if (opens === true && next !== undefined) setParams({ open: idOf(next) }, { replace: true });
  };
  const tick = useTicks(ticked, (index) => rows[index], idOf);
  const open = (index: number) => show(rows[index]);
  useListKeys({ count: opens ? rows.length : 0, at, open, tick, step });
  const columns = ticked ? [tickColumn(ticked, rows, idOf, tick), ...props.columns] : props.columns;
  const opening = (row: Row, index: number) =>
    opens === false
      ? {}
      : {
          'data-row': index,
          tabIndex: -1,
          'aria-selected': isOpen(row),
          onClick: ({ target }: MouseEvent) => {
            if (target instanceof Element && !target.closest('input')) show(row);
          },
        };
  if (rows.length === 0 && props.empty) return props.empty;
  return (
    <div class="scroll">
      <table class={className} aria-label={label}>
        <thead>
          {groups && (
            <tr>
              <td />
              {groups.map(([text, span]) => (
                <th key={text} colSpan={span} class="grp">
                  <span>{text}</span>
                </th>
              ))}
            </tr>
          )}
          <tr>{headCells(columns)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Fragment key={idOf(row)}>
              <tr {...opening(row, index)}>{cells(columns, row)}</tr>
              {below && isOpen(row) && (
                <tr class="opened">
                  <td colSpan={columns.length}>{below(row)}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The ids of the rows that are ticked. */
export type Ticked = Signal<ReadonlySet<string>>;

/** Ticks a row, or all rows since the last tick. */
export function useTicks<Row>(
  ticked: Ticked | undefined,
  rowAt: (index: number) => Row | undefined,
  idOf: (row: Row) => string,
): (index: number, isRange: boolean) => void {
  const last = useRef(-1);
  return (index, isRange) => {
    const here = rowAt(index);
    if (ticked === undefined || here === undefined) return;
    const from = isRange && last.current >= 0 ? last.current : index;
    const isOn = isRange || !ticked.value.has(idOf(here));
    const next = new Set(ticked.value);
    for (let i = Math.min(from, index); i <= Math.max(from, index); i++) {
      const row = rowAt(i);
      if (row === undefined) continue;
      if (isOn) next.add(idOf(row));
      else next.delete(idOf(row));
    }
    last.current = index;
    ticked.value = next;
  };
}

interface TickBoxProps {
  readonly id: string;
  readonly ticked: Ticked;
  readonly onTick: (isRange: boolean) => void;
}

export function TickBox({ id, ticked, onTick }: TickBoxProps) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={`Tick ${id}`}
      checked={ticked.value.has(id)}
      onClick={(event) => onTick(event.shiftKey)}
    />
  );
}

function tickColumn<Row>(
  ticked: Ticked,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  tick: (index: number, isRange: boolean) => void,
): Column<Row> {
  const box = (row: Row) => (
    <TickBox
      id={idOf(row)}
      ticked={ticked}
      onTick={(isRange) => tick(rows.indexOf(row), isRange)}
    />
  );
  return ['Ticked', box, 'box'];
}

export interface ListSectionProps<Row> extends Omit<ListProps<Row>, 'label'> {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly end?: ComponentChildren;
  /** The note of an empty list. */
  readonly none: string;
}

/** A list below its title. An empty list is its title and a note. */
export function ListSection<Row>({ title, note, end, none, ...list }: ListSectionProps<Row>) {
  const isEmpty = list.rows.length === 0;
  return (
    <Section title={title} note={isEmpty ? none : note} end={end}>
      {!isEmpty && <List label={title} {...list} />}
    </Section>
  );
}

/** Classes of a text: the head of its column does not have them. */
const OF_TEXT = /\b(?:soft|mono|muted|strong|wrap|cut-cell|cut)\b/g;

export function headCells<Row>(columns: readonly Column<Row>[]) {
  return columns.map(([title, , kind = ''], index) => (
    <th key={`${index}${title}`} scope="col" class={kind.replace(OF_TEXT, '')}>
      {kind === 'box' ? <span class="sr">{title}</span> : title}
    </th>
  ));
}

/** Numbers have separators, and zero is faint. */
export function cells<Row>(columns: readonly Column<Row>[], row: Row) {
  return columns.map(([title, cell, kind = ''], index) => {
    const value = cell(row);
    return (
      <td key={`${index}${title}`} class={value === 0 ? `${kind} zero` : kind}>
        {typeof value === 'number' ? num(value) : value}
      </td>
    );
  });
}

interface TwoProps {
  readonly top: ComponentChildren;
  readonly sub?: ComponentChildren;
}

/** A cell of two lines. */
export function Two({ top, sub }: TwoProps) {
  return (
    <>
      <span class="strong">{top}</span>
      <span class="l2">{sub}</span>
    </>
  );
}

interface SwitchProps<T extends string> {
  /** Name of the parameter in the address. */
  readonly name: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
}

/** Links to the same view, seen otherwise. */
export function Switch<T extends string>({ name, value, options }: SwitchProps<T>) {
  return (
    <span class="switch">
      {options.map(([each, text]) =>
        each === value ? (
          <b key={each}>{text}</b>
        ) : (
          <a key={each} class="link" href={hrefWith({ [name]: each })}>
            {text}
          </a>
        ),
      )}
    </span>
  );
}

interface LinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

export function Link({ href, children }: LinkProps) {
  return (
    <a class="link" href={href}>
      {children}
    </a>
  );
}

/** A value of any kind as text. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
