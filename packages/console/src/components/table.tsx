import type { ComponentChildren } from 'preact';
import { num } from '../format.ts';

export type Head =
  | string
  | {
      readonly text: string;
      /** Numbers: to the right. */
      readonly n?: boolean;
      readonly hidePhone?: boolean;
      readonly span?: number;
      readonly width?: string;
    };

export interface TableProps {
  readonly label: string;
  readonly head: readonly Head[];
  readonly children?: ComponentChildren;
  /** Rows have two lines. Default: 32 px each. */
  readonly tall?: boolean;
}

/** A small table. On a phone it scrolls inside itself. */
export function Table({ label, head, children, tall = false }: TableProps) {
  return (
    <div class="scroll">
      <table class={tall ? '' : 'rows32'} aria-label={label}>
        <thead>
          <tr>{head.map(headCell)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function headCell(head: Head, index: number) {
  const { text, n, hidePhone, span, width } = typeof head === 'string' ? { text: head } : head;
  const classes = [n && 'n', hidePhone && 'hide-phone'].filter(Boolean).join(' ');
  return (
    <th
      key={`${index}${text}`}
      scope="col"
      class={classes}
      colSpan={span}
      style={width ? { width } : undefined}
    >
      {text}
    </th>
  );
}

export interface NumProps {
  /** `undefined`: an empty cell. */
  readonly value: number | undefined | null;
  readonly text?: string;
  readonly className?: string;
}

/** A cell with a number; zero is faint. */
export function Num({ value, text, className = '' }: NumProps) {
  const tone = value === 0 ? ' zero' : '';
  return (
    <td class={`n${tone} ${className}`}>
      {value === undefined || value === null ? '' : (text ?? num(value))}
    </td>
  );
}
