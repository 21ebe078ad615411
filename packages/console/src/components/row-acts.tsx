import { useEffect, useRef } from 'preact/hooks';

export interface RowAct {
  readonly label: string;
  readonly run: () => void;
  readonly whyNot?: string | undefined;
}

export interface RowActsProps {
  readonly acts: readonly RowAct[];
  readonly onClose: () => void;
}

/** The menu of a row (`.`). Arrows move, Enter chooses, Esc closes. */
export function RowActs({ acts, onClose }: RowActsProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const move = (by: number) => {
    const items = [...(element.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + by + items.length) % items.length]?.focus();
  };
  return (
    <div
      ref={element}
      class="menu row-acts"
      role="menu"
      onKeyDown={(event) => {
        const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
        if (by !== undefined) move(by);
        else if (event.key === 'Escape') onClose();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onFocusOut={(event) => {
        if (!element.current?.contains(event.relatedTarget as Node | null)) onClose(); // DOM's own type.
      }}
    >
      {acts.map(({ label, run, whyNot }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={whyNot !== undefined}
          onClick={() => {
            if (whyNot !== undefined) return;
            onClose();
            run();
          }}
        >
          {label}
          {whyNot !== undefined && <span class="why-not">{whyNot}</span>}
        </button>
      ))}
    </div>
  );
}
