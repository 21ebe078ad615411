import { type Signal, signal, useSignal } from '@preact/signals';
import { shellWord } from '@redrive/core/fields';
import type { Role } from '@redrive/server/client';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { me, whyNot } from '../me.ts';
import { param, setParams } from '../router.ts';
import { readStatus } from '../status.ts';
import { useAct } from '../use-query.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Choice, Field, Seg, Select } from './fields.tsx';
import { ErrorNotice } from './notices.tsx';
import { toast } from './toast.tsx';

type Values = Readonly<Record<string, string>>;

/** A field of a dialog: a text, or one of several. */
export interface Question {
  readonly name: string;
  readonly label: string;
  readonly first: string;
  readonly options?: readonly (readonly [value: string, label: string, note?: string])[];
  /** Default: a choice with a line below each option, or a text. */
  readonly as?: 'seg' | 'select' | 'number' | 'json';
  /** Known names. */
  readonly list?: readonly string[];
  /** It may be left empty. */
  readonly optional?: boolean;
  readonly when?: (values: Values) => boolean;
}

/** The reason, if one was given. */
export interface Why {
  readonly reason?: string;
}

/** An act as data, for the values that were chosen. */
export interface Act {
  readonly title: string;
  readonly lede?: string | undefined;
  /** Default operator. */
  readonly role?: Role;
  readonly danger?: boolean;
  /** Default: the reason may be left out. */
  readonly needsReason?: boolean;
  /** The text that must be typed, and its name: `['the scope', 'queue billing']`. */
  readonly confirm?: readonly [what: string, text: string] | undefined;
  readonly missing?: string | undefined;
  /** It says what it does, with the name: `Stop queue billing`. */
  readonly button: string;
  /** Text of the toast; without it there is none. */
  readonly said?: string | ((answer: unknown) => string);
  /** The command line that does the same, without its reason. */
  readonly command: string;
  readonly run: (why: Why) => Promise<unknown>;
  readonly shows?: ComponentChildren;
  /** Below the questions of a bulk act. */
  readonly note?: string;
}

export interface ActDialogProps {
  readonly questions?: readonly Question[];
  readonly act: (values: Values) => Act;
  readonly onDone?: (() => void) | undefined;
  readonly wide?: boolean;
  /** The questions of a bulk operation (target, terms, reason) stand in one row, below the text about its effect. */
  readonly isBulk?: boolean;
}

const close = () => setParams({ act: undefined, scope: undefined, of: undefined });

/** An act with its reason, its command line and, where it does harm, a text to type. It closes when the store has answered. */
export function ActDialog(props: ActDialogProps) {
  const { questions = [], act: actOf, onDone, isBulk = false, wide = isBulk } = props;
  const fields = useMemo(() => questions.map(({ first }) => signal(first)), []);
  const textOf = (index: number) => fields[index]?.value ?? '';
  const values = Object.fromEntries(
    questions.map(({ name }, index) => [name, textOf(index).trim()]),
  );
  const reason = useSignal('');
  const typed = useSignal('');
  const act = actOf(values);
  const { danger = false, needsReason = false, said } = act;
  const [what, confirm] = act.confirm ?? [];
  const why = reason.value.trim();
  const { run, isPending, problem } = useAct(async () => {
    const answer = await act.run(why === '' ? {} : { reason: why });
    if (said) toast(typeof said === 'string' ? said : said(answer));
    close();
    onDone?.();
    void readStatus();
  });
  const missing =
    whyNot(act.role ?? 'operator') ??
    act.missing ??
    (needsReason && why === '' ? 'Give a reason: it is recorded.' : undefined) ??
    (confirm === undefined || isTyped(typed.value.trim(), confirm)
      ? undefined
      : `Type ${what} to enable the button.`);
  const isChanged = questions.some(({ first }, index) => textOf(index) !== first);
  const option = why === '' ? (needsReason ? ' --reason …' : '') : ` --reason ${shellWord(why)}`;
  const asked = questions.map((question, index) => {
    const value = fields[index];
    const isShown = question.when?.(values) ?? true;
    return isShown && value && <Asked key={question.name} {...{ question, value }} />;
  });
  // The text about the effect of an act stands before the choice of its terms.
  const choice = isBulk ? 0 : questions.findIndex(isChoice);
  const end = choice < 0 ? asked.length : choice;
  return (
    <Dialog
      title={act.title}
      wide={wide}
      onClose={close}
      isDirty={isChanged || why !== '' || typed.value !== ''}
      onSubmit={() => missing === undefined && run()}
      command={withOption(act.command, option)}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            {...{ type: 'submit', danger, primary: !danger, isPending, whyNot: missing }}
            pending="Requested…"
          >
            {act.button}
          </Button>
        </>
      }
    >
      {act.lede && <p class="soft">{act.lede}</p>}
      {asked.slice(0, end)}
      {act.shows}
      {isBulk ? (
        <div>
          <span class="lab">How</span>
          <div class="row how">{asked}</div>
          <p class="l2">{act.note}</p>
        </div>
      ) : (
        asked.slice(end)
      )}
      <Field
        label={wide ? 'Why' : 'Reason'}
        value={reason}
        required={needsReason}
        note={`${wide ? 'required, ' : ''}recorded with ${me.value?.name ?? 'you'}`}
      />
      {confirm && <Field label={`Type ${confirm} to confirm`} value={typed} required mono />}
      {problem && <ErrorNotice problem={problem} title={`Not done: ${act.button}.`} />}
    </Dialog>
  );
}

/** A number may be typed without its separators. */
function isTyped(text: string, confirm: string): boolean {
  return text === confirm || (/^[\d,]+\+?$/.test(confirm) && text === confirm.replaceAll(',', ''));
}

function isChoice({ options, as }: Question): boolean {
  return options !== undefined && as === undefined;
}

interface AskedProps {
  readonly question: Question;
  readonly value: Signal<string>;
}

function Asked({ question, value }: AskedProps) {
  const { label, options = [], as, list, optional = false } = question;
  const pairs = options.map(([each, text]) => [each, text] as const);
  if (as === 'select') return <Select label={label} value={value} options={pairs} />;
  if (as === 'seg') {
    return (
      <div class="big-seg">
        <span class="lab">{label}</span>
        <Seg
          label={label}
          value={value.value}
          onChange={(each) => {
            value.value = each;
          }}
          options={pairs}
        />
      </div>
    );
  }
  if (as === 'json')
    return <Field mono rows={14} {...{ label, value }} error={jsonProblem(value.value)} />;
  if (options.length > 0) {
    const all = options.map(([each, text, note]) => ({ value: each, label: text, note }));
    return <Choice label={label} value={value} options={all} />;
  }
  const type = as === 'number' ? 'number' : 'text';
  return <Field required={!optional} {...{ label, value, type, ...(list && { list }) }} />;
}

export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** An act that a view offers, by the name that it has in the address. */
export interface Offer extends Omit<ActDialogProps, 'onDone'> {
  readonly name: string;
  readonly label: string;
  readonly look?: 'primary' | 'danger' | 'line';
  /** Why it is of no use now. */
  readonly whyNot?: string | undefined;
}

/** The role that the act needs with its first values. */
function roleOf({ questions = [], act }: ActDialogProps): Role {
  const values = Object.fromEntries(questions.map(({ name, first }) => [name, first]));
  return act(values).role ?? 'operator';
}

interface ActsProps {
  readonly of: readonly Offer[];
  readonly onDone?: (() => void) | undefined;
}

/** A button for each act, and the dialog of the one that the address names. */
export function Acts({ of, onDone }: ActsProps) {
  const open = of.find(({ name }) => name === param('act'));
  return (
    <>
      {of.map(({ name, label, look, whyNot: why, ...offer }) => (
        <Button
          key={name}
          primary={look === 'primary'}
          danger={look === 'danger'}
          line={look === 'line'}
          whyNot={whyNot(roleOf(offer)) ?? why}
          onClick={() => setParams({ act: name })}
        >
          {label}
        </Button>
      ))}
      {open && <ActDialog key={open.name} {...open} onDone={onDone} />}
    </>
  );
}

/** Options stand before `--`, which a command has if an argument begins with a dash. */
function withOption(command: string, option: string): string {
  return / (?:--|'--') /.test(command)
    ? command.replace(/^redrive \S+ \S+/, (words) => words + option)
    : command + option;
}
