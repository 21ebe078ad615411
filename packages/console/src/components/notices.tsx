import type { ComponentChildren } from 'preact';
import type { RedriveClientError } from '../api.ts';
import { now } from '../clock.ts';
import { absolute, duration } from '../format.ts';
import type { Query } from '../use-query.ts';
import { Button } from './button.tsx';
import { CommandLine } from './command-line.tsx';
import { Glyph } from './state.tsx';

export interface NoticeProps {
  readonly tone?: 'warn' | 'bad';
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Notice({ tone = 'warn', end, children }: NoticeProps) {
  return (
    <div
      class={tone === 'bad' ? 'notice bad' : 'notice'}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <Glyph of={tone === 'bad' ? 'critical' : 'warning'} />
      <span>{children}</span>
      <span class="sp" />
      {end}
    </div>
  );
}

export interface ErrorNoticeProps {
  readonly problem: RedriveClientError;
  readonly title: string;
  readonly onRetry?: (() => void) | undefined;
}

/** The error with its cause, the next step, the code and the request's id. */
export function ErrorNotice({ problem, title, onRetry }: ErrorNoticeProps) {
  const { code, message: detail, problems, requestId } = problem;
  const retry = onRetry && (
    <Button small onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Notice tone="bad" end={retry}>
      <b class="strong">{title}</b> {detail}
      {problems.map(({ field, message }) => (
        <span class="l2" key={field}>
          {field}: {message}
        </span>
      ))}
      <span class="l2 mono muted">
        {requestId === undefined ? code : `${code}, request ${requestId}`}
      </span>
    </Notice>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly command?: string;
  readonly children?: ComponentChildren;
}

/** The text of an empty table: the condition under which rows appear, and the command. */
export function Empty({ title, command, children }: EmptyProps) {
  return (
    <div class="empty">
      <b>{title}</b>
      {children}
      {command !== undefined && <CommandLine text={command} />}
    </div>
  );
}

const WIDTHS = ['62%', '88%', '74%', '80%', '58%', '84%'];

export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="sk" style={{ width: WIDTHS[index % WIDTHS.length] ?? '70%' }} />
      ))}
    </div>
  );
}

export interface LoadedProps<T> {
  readonly query: Query<T>;
  /** `The list did not load.` */
  readonly title: string;
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}

/** Skeleton bars, an error, or the data. Old data stays below the error. */
export function Loaded<T>({ query, title, rows, children }: LoadedProps<T>) {
  const { data, error, isLoading, atMs, reload } = query;
  return (
    <>
      {error !== undefined && data === undefined && (
        <ErrorNotice problem={error} title={title} onRetry={reload} />
      )}
      {error !== undefined && data !== undefined && atMs !== undefined && (
        <Notice
          end={
            <Button small onClick={reload}>
              Try now
            </Button>
          }
        >
          No answer for {duration(Math.max(0, now.value - atMs))}: {error.message} Figures are from{' '}
          {absolute(atMs)}.
        </Notice>
      )}
      {isLoading && <Skeleton rows={rows ?? 4} />}
      {data !== undefined && children(data)}
    </>
  );
}
