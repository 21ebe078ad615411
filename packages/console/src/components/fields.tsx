import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly note?: ComponentChildren;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly mono?: boolean;
  readonly type?: 'text' | 'number' | 'datetime-local';
  readonly placeholder?: string;
  /** More than one: a text area. */
  readonly rows?: number;
  readonly list?: readonly string[];
}

export function Field({ label, value, note, error, rows = 1, list, mono, ...rest }: FieldProps) {
  const id = useId();
  const shared = {
    id,
    class: mono ? 'in mono' : 'in',
    value: value.value,
    required: rest.required,
    placeholder: rest.placeholder,
    spellcheck: false,
    autocomplete: 'off',
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': note || error ? `${id}-note` : undefined,
  } as const;
  const take = (event: { readonly currentTarget: { readonly value: string } }) => {
    value.value = event.currentTarget.value;
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {note && !error && (
        <span id={`${id}-note`} class="muted">
          {' '}
          {note}
        </span>
      )}
      {rows > 1 ? (
        <textarea {...shared} rows={rows} onInput={take} />
      ) : (
        <input {...shared} type={rest.type ?? 'text'} onInput={take} list={list && `${id}-list`} />
      )}
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {error && (
        <p id={`${id}-note`} class="l2 red">
          {error}
        </p>
      )}
    </div>
  );
}

export interface ChoiceOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly note?: ComponentChildren;
}

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: Signal<T>;
  readonly options: readonly ChoiceOption<T>[];
}

/** One of several, with a line below each. */
export function Choice<T extends string>({ label, value, options }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {options.map((each) => (
        <label class="choice" key={each.value}>
          <input
            type="radio"
            name={name}
            checked={value.value === each.value}
            onChange={() => {
              value.value = each.value;
            }}
          />
          <span>
            {each.label}
            {each.note && <span class="l2">{each.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export interface SegProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly options: readonly (readonly [value: T, text: string])[];
}

/** A row of buttons of which one is pressed. */
export function Seg<T extends string>({ label, value, onChange, options }: SegProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in every browser.
    <span class="seg" role="group" aria-label={label}>
      {options.map(([each, text]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {text}
        </button>
      ))}
    </span>
  );
}

export interface SelectProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function Select({ label, value, options }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="in"
        value={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.value;
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
