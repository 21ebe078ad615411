import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { post } from '../../api.ts';
import {
  Button,
  Choice,
  Dialog,
  ErrorNotice,
  Field,
  Seg,
  Select,
  toast,
} from '../../components/index.ts';
import { setParams } from '../../router.ts';
import { me, whyNot } from '../../session.ts';
import { readStatus } from '../../status.ts';
import { useAct } from '../../use-query.ts';

type Values = Readonly<Record<string, string>>;

/** A field of a dialog: a text, or one of several. */
export interface Question {
  readonly name: string;
  readonly label: string;
  readonly first: string;
  readonly options?: readonly (readonly [value: string, label: string, note?: string])[];
  /** Default: a choice with a line below each option, or a text. */
  readonly as?: 'seg' | 'select' | 'number';
  /** Known names. */
  readonly list?: readonly string[];
  readonly when?: (values: Values) => boolean;
}

/** An act as data, for the values that were chosen. */
export interface Act {
  readonly title: string;
  readonly lede?: string | undefined;
  readonly role: 'operator' | 'admin';
  readonly danger?: boolean;
  /** The reason may be left out. */
  readonly isPlain?: boolean;
  /** Text that must be typed. */
  readonly confirm?: string | undefined;
  readonly missing?: string | undefined;
  /** It says what it does, with the name: `Stop queue billing`. */
  readonly button: string;
  readonly said: (answer: unknown) => string;
  /** The command line that does the same, without its reason. */
  readonly command: string;
  readonly path: string;
  readonly body: object;
  readonly shows?: ComponentChildren;
}

export interface ActDialogProps {
  readonly questions?: readonly Question[];
  readonly act: (values: Values) => Act;
  readonly onDone: () => void;
}

/** An act with its reason, its command line and, where it does harm, a text to type. It closes when the store has answered. */
export function ActDialog({ questions = [], act: actOf, onDone }: ActDialogProps) {
  const fields = useMemo(() => questions.map(({ first }) => signal(first)), []);
  const textOf = (index: number) => fields[index]?.value ?? '';
  const values = Object.fromEntries(
    questions.map(({ name }, index) => [name, textOf(index).trim()]),
  );
  const reason = useSignal('');
  const typed = useSignal('');
  const act = actOf(values);
  const { confirm } = act;
  const why = reason.value.trim();
  const close = () => setParams({ act: undefined, scope: undefined, of: undefined });
  const { run, isPending, problem } = useAct(async () => {
    const answer = await post(act.path, { ...act.body, ...(why !== '' && { reason: why }) });
    toast(act.said(answer));
    close();
    onDone();
    void readStatus();
  });
  const missing =
    whyNot(act.role) ??
    act.missing ??
    (act.isPlain !== true && why === '' ? 'Give a reason: it is recorded.' : undefined) ??
    (confirm === undefined || typed.value.trim() === confirm
      ? undefined
      : 'Type the scope to enable the button.');
  const isChanged = questions.some(({ first }, index) => textOf(index) !== first);
  const firstChoice = questions.findIndex(isChoice);
  const asked = (question: Question, index: number) => {
    const value = fields[index];
    const isShown = question.when?.(values) ?? true;
    return [
      index === firstChoice && act.shows,
      isShown && value && <Asked key={question.name} {...{ question, value }} />,
    ];
  };
  return (
    <Dialog
      title={act.title}
      onClose={close}
      isDirty={isChanged || why !== '' || typed.value !== ''}
      onSubmit={() => missing === undefined && run()}
      command={`${act.command}${why === '' ? '' : ` --reason ${quoted(why)}`}`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            {...(act.danger === true ? { danger: true } : { primary: true })}
            {...{ isPending, pending: 'Requested…', whyNot: missing }}
          >
            {act.button}
          </Button>
        </>
      }
    >
      {act.lede && <p class="soft">{act.lede}</p>}
      {questions.map(asked)}
      {!questions.some(isChoice) && act.shows}
      <Field
        label="Reason"
        value={reason}
        required={act.isPlain !== true}
        note={`recorded with ${me.value?.name ?? 'you'}`}
      />
      {confirm && <Field label={`Type ${confirm} to confirm`} value={typed} required mono />}
      {problem && <ErrorNotice problem={problem} title={`Not done: ${act.button}.`} />}
    </Dialog>
  );
}

/** What an act does stands before the choice of how. */
function isChoice({ options, as }: Question): boolean {
  return options !== undefined && as === undefined;
}

function Asked({
  question,
  value,
}: {
  readonly question: Question;
  readonly value: Signal<string>;
}) {
  const { label, options = [], as, list } = question;
  if (as === 'select') {
    return (
      <Select label={label} value={value} options={options.map(([each, text]) => [each, text])} />
    );
  }
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
          options={options.map(([each, text]) => [each, text])}
        />
      </div>
    );
  }
  if (options.length > 0) {
    const all = options.map(([each, text, note]) => ({ value: each, label: text, note }));
    return <Choice label={label} value={value} options={all} />;
  }
  const type = as === 'number' ? 'number' : 'text';
  return <Field required {...{ label, value, type, ...(list && { list }) }} />;
}

/** A word of a command line. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
