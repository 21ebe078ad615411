import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CommandLine } from './command-line.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Something was typed: Esc asks once. */
  readonly isDirty?: boolean;
  readonly footer?: ComponentChildren;
  /** The command line that does the same. */
  readonly command?: string | undefined;
  readonly onSubmit?: (() => void) | undefined;
  readonly wide?: boolean;
  readonly children?: ComponentChildren;
}

/** A modal dialog. The focus goes to the first empty required field, never to the button, and back at the end. */
export function Dialog(props: DialogProps) {
  const { title, onClose, isDirty = false, footer, command, onSubmit, wide, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const [isAsking, ask] = useState(false);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    const fields = [...(dialog?.querySelectorAll<HTMLInputElement>('[required]') ?? [])];
    const target =
      fields.find(({ value }) => value === '') ??
      dialog?.querySelector<HTMLElement>('input, textarea, select') ??
      dialog?.querySelector<HTMLElement>('h2');
    target?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const leave = () => {
    if (isDirty && !isAsking) ask(true);
    else onClose();
  };
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      // Of a dialog that another one replaced, the event comes late.
      onClose={() => element.current !== null && onClose()}
      onKeyDown={(event) => {
        // A browser closes a dialog at the second Esc without asking.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        leave();
      }}
      onClick={(event) => {
        if (event.target === element.current) leave();
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header>
          <h2 tabIndex={-1}>{title}</h2>
        </header>
        <div class="body">
          {children}
          {command !== undefined && <CommandLine text={command} />}
        </div>
        <footer>
          {isAsking && (
            <span class="why-not" role="alert">
              Nothing is done yet. Esc again discards what you typed.
            </span>
          )}
          <span class="sp" />
          {footer}
        </footer>
      </form>
    </dialog>
  );
}
