import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

type Children = { readonly children?: ComponentChildren };

export interface PageProps extends Children {
  readonly title: ComponentChildren;
  /** For the window, where the title is not a plain text. */
  readonly name?: string | undefined;
  readonly lede?: ComponentChildren;
  /** Buttons at the right. */
  readonly acts?: ComponentChildren;
  readonly crumb?: ComponentChildren;
  readonly className?: string | undefined;
}

/** A view: one h1, which takes the focus when the view opens. */
export function Page({ title, name, lede, acts, crumb, className = '', children }: PageProps) {
  const text = name ?? (typeof title === 'string' ? title : undefined);
  useEffect(() => {
    document.title = text === undefined ? 'Redrive' : `${text} · Redrive`;
  }, [text]);
  return (
    <main id="main" tabIndex={-1} class={className}>
      {crumb && <p class="crumb">{crumb}</p>}
      <div class="titlebar">
        <div>
          <h1>{title}</h1>
          {lede && <p class="lede">{lede}</p>}
        </div>
        {acts && <div class="acts">{acts}</div>}
      </div>
      {children}
    </main>
  );
}

export interface SectionProps extends Children {
  readonly title: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly end?: ComponentChildren;
  readonly className?: string | undefined;
}

export function Section({ title, note, end, className = '', children }: SectionProps) {
  return (
    <section class={className}>
      <h2>
        {title}
        {note !== undefined && <span class="muted">{note}</span>}
        {end !== undefined && <span class="end">{end}</span>}
      </h2>
      {children}
    </section>
  );
}

/** A main column and a rail of 316 px, which goes below on narrow screens. */
export function Cols({ rail, children }: Children & { readonly rail: ComponentChildren }) {
  return (
    <div class="cols">
      <div class="stack">{children}</div>
      <div class="stack">{rail}</div>
    </div>
  );
}

export interface PanesProps {
  readonly left: ComponentChildren;
  readonly main: ComponentChildren;
  /** The open item. On a phone it takes the place of the others. */
  readonly right?: ComponentChildren;
  /** Which of left and main a narrow screen shows. Default `main`. */
  readonly narrow?: 'left' | 'main';
}

export function Panes({ left, main, right, narrow = 'main' }: PanesProps) {
  return (
    <div class={`panes narrow-${narrow}${right ? ' with-right' : ''}`}>
      <div class="pane left">{left}</div>
      <div class="pane mid">{main}</div>
      {right && <div class="pane right">{right}</div>}
    </div>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values. A value of `undefined` or `null` leaves its line out. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  const given = of.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return (
    <dl class="facts">
      {given.map(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name}=`}>{value}</dd>,
      ])}
    </dl>
  );
}

interface EffectProps extends Children {
  readonly title?: string;
  readonly note?: ComponentChildren;
  /** A number, what happens to so many, and more about them. */
  readonly lines: readonly (readonly ComponentChildren[])[];
}

/** The effect of an act, in numbers. */
export function Effect({ title, note, lines, children }: EffectProps) {
  return (
    <div>
      {title && (
        <span class="lab">
          {title} <span class="muted">{note}</span>
        </span>
      )}
      <ul class="effect">
        {lines.map(([count, text, more], index) => (
          <li key={index}>
            <b>{count}</b>
            <span>
              {text} <span class="muted">{more}</span>
            </span>
          </li>
        ))}
        {children}
      </ul>
    </div>
  );
}
