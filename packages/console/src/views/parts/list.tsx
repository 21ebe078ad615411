import { useSignal } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { num } from '../../format.ts';
import { useListKeys } from '../../keys.ts';
import { param, setParams } from '../../router.ts';

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
  /** Rows open by click and Enter: the parameter `open` has the id. */
  readonly opens?: boolean;
  /** Below the open row. */
  readonly below?: (row: Row) => ComponentChildren;
  readonly className?: string;
}

/** A small table of rows, which may open. */
export function List<Row>(props: ListProps<Row>) {
  const { label, rows, columns, idOf, groups, opens = false, below, className = '' } = props;
  const at = useSignal(-1);
  const isOpen = (row: Row) => opens && idOf(row) === param('open');
  const show = (row: Row | undefined) =>
    row !== undefined && setParams({ open: isOpen(row) ? undefined : idOf(row), act: undefined });
  const step = (by: 1 | -1) => {
    const next = rows[rows.findIndex(isOpen) + by];
    if (next !== undefined) setParams({ open: idOf(next) }, { replace: true });
  };
  useListKeys({ count: opens ? rows.length : 0, at, open: (index) => show(rows[index]), step });
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
          <tr>
            {columns.map(([title, , kind], index) => (
              <th key={`${index}${title}`} scope="col" class={headKind(kind)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Fragment key={idOf(row)}>
              <tr
                data-row={opens ? index : undefined}
                tabIndex={opens ? -1 : undefined}
                aria-selected={opens ? isOpen(row) : undefined}
                onClick={opens ? () => show(row) : undefined}
              >
                {columns.map(([title, cell, kind], column) => {
                  const value = cell(row);
                  return (
                    <td
                      key={`${column}${title}`}
                      class={`${kind ?? ''}${value === 0 ? ' zero' : ''}`}
                    >
                      {typeof value === 'number' ? num(value) : value}
                    </td>
                  );
                })}
              </tr>
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

/** Of the classes of a column, those of its place and width. */
const headKind = (kind = '') => kind.replace(/\b(?:soft|mono|muted|strong|wrap|cut-cell)\b/g, '');

/** A cell of two lines. */
export function Two({
  top,
  sub,
}: {
  readonly top: ComponentChildren;
  readonly sub?: ComponentChildren;
}) {
  return (
    <>
      <span class="strong">{top}</span>
      <span class="l2">{sub}</span>
    </>
  );
}

export function Link({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
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
