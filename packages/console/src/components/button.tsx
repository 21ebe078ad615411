import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  readonly onClick?: (() => void) | undefined;
  /** A link that looks like a button. */
  readonly href?: string | undefined;
  readonly primary?: boolean;
  /** Red, only in a dialog that does harm. */
  readonly danger?: boolean;
  /** Red text. */
  readonly line?: boolean;
  readonly small?: boolean;
  readonly type?: 'submit';
  /** Until the store has answered: `Requeue requested…`. */
  readonly pending?: string | undefined;
  readonly isPending?: boolean;
  /** The button stays in its place and in the order of focus, does nothing, and says why. */
  readonly whyNot?: string | undefined;
  readonly label?: string;
  readonly children?: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { onClick, href, whyNot, isPending = false, pending, type, label, children } = props;
  const classes = [
    'btn',
    props.primary && 'primary',
    props.danger && 'danger',
    props.line && 'danger-line',
    props.small && 'small',
    isPending && 'pending',
  ];
  const className = classes.filter(Boolean).join(' ');
  const text = isPending ? (pending ?? children) : children;
  if (href !== undefined && whyNot === undefined) {
    return (
      <a class={className} href={href} aria-label={label}>
        {text}
      </a>
    );
  }
  const isOff = whyNot !== undefined || isPending;
  return (
    <>
      <button
        type={type ?? 'button'}
        class={className}
        aria-disabled={isOff ? true : undefined}
        aria-label={label}
        onClick={(event) => {
          if (isOff) event.preventDefault();
          else onClick?.();
        }}
      >
        {text}
      </button>
      {whyNot !== undefined && <span class="why-not">{whyNot}</span>}
    </>
  );
}
