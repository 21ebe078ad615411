import type { CausesListAnswer, CausesMergeAnswer } from '@redrive/client';
import { commandText, shellWord } from '@redrive/core/fields';
import { useEffect, useState } from 'preact/hooks';
import { asProblem, client } from '../../api.ts';
import { clock } from '../../clock.ts';
import { ActDialog, type ActDialogProps, Button } from '../../components/index.ts';
import { bounded, causeText, plural } from '../../format.ts';
import { whyNot } from '../../me.ts';
import { param, setParams } from '../../router.ts';
import { useRead } from '../../use-query.ts';
import type { Group } from './causes.tsx';

type Rules = CausesListAnswer;
type Rule = Rules['rules'][number];
type Dialog = Omit<ActDialogProps, 'onDone'>;

const NEW = 'new';
/** A trial begins this long after the last keystroke. */
const TRY_AFTER_MS = 250;

/** Acts on one cause. */
export function CauseActs() {
  const open = (act: string) => () => setParams({ act, of: 'cause' });
  const no = whyNot('operator');
  return (
    <span class="end acts">
      <Button whyNot={no} onClick={open('merge')}>
        Merge…
      </Button>
      <Button whyNot={no} onClick={open('split')}>
        Split…
      </Button>
      <Button whyNot={no} onClick={open('rename')}>
        Rename…
      </Button>
    </span>
  );
}

interface CauseDialogProps {
  readonly act: string;
  readonly group: Group | undefined;
  /** Causes that it may join. */
  readonly others: readonly Group[];
  readonly onDone: () => void;
}

/** Merges, splits or renames the cause of the address, or removes a rule. */
export function CauseDialog({ act, group, others, onDone }: CauseDialogProps) {
  const rule = param('scope');
  const dialog =
    act === 'remove-rule' && rule !== undefined
      ? removing(rule)
      : group && DIALOGS[act]?.(group, others);
  return dialog ? <ActDialog key={act} {...dialog} onDone={onDone} /> : null;
}

const DIALOGS: Readonly<Record<string, (group: Group, others: readonly Group[]) => Dialog>> = {
  merge: merging,
  split: splitting,
  rename: renaming,
};

function merging({ fingerprint, pattern }: Group, others: readonly Group[]): Dialog {
  const options = others
    .filter((each) => each.fingerprint !== fingerprint)
    .map((each) => [each.fingerprint, causeText(each.pattern)] as const);
  const first = options[0]?.[0] ?? NEW;
  return {
    questions: [
      {
        name: 'into',
        label: 'Into',
        first,
        as: 'select',
        options: [...options, [NEW, 'A new cause']],
      },
      { name: 'name', label: 'Name of the new cause', first: '', when: ({ into }) => into === NEW },
      { name: 'title', label: 'Title', first: '', optional: true },
    ],
    act: ({ into = '', name = '', title = '' }) => {
      const target = into === NEW ? name : into;
      const body = { causes: [fingerprint], into: target, ...(title !== '' && { title }) };
      const merge = (how: How) => client.causes.merge({ ...how, ...body });
      const option = title === '' ? '' : ` --title ${shellWord(title)}`;
      return {
        title: 'Merge the cause',
        lede: causeText(pattern),
        button: 'Merge',
        command: `${commandText`redrive dlq merge ${fingerprint} --into ${target}`}${option}`,
        run: merge,
        missing: target === '' ? 'Give the new cause a name, such as card-refused.' : undefined,
        said: 'The causes are one. Their letters move in the background.',
        shows: target !== '' && <Trial of={body} act={merge} say={joinText} />,
      };
    },
  };
}

function joinText({ letters, from, to }: CausesMergeAnswer): string {
  const [target] = to;
  const has = target?.has ?? { count: 0, bounded: false };
  const causes = from.length + (has.count > 0 ? 1 : 0);
  const all = bounded(letters.count + has.count, letters.bounded || has.bounded);
  return `This would join ${plural(causes, 'cause', 'causes')}, ${all} letters.`;
}

function splitting({ fingerprint, pattern }: Group): Dialog {
  return {
    questions: [
      {
        ...{ name: 'by', label: 'By', first: 'text', as: 'seg' },
        options: [
          ['text', 'Text'],
          ['message', 'Message'],
          ['type', 'Type'],
          ['code', 'Code'],
          ['handler', 'Handler'],
        ],
      },
      { name: 'text', label: 'Text of the message', first: '', when: ({ by }) => by === 'text' },
    ],
    act: ({ by: kind = '', text = '' }) => {
      const by = kind === 'text' ? text : kind;
      const body = { cause: fingerprint, by };
      const split = (how: How) => client.causes.split({ ...how, ...body });
      return {
        title: 'Split the cause',
        lede: causeText(pattern),
        button: 'Split',
        command: commandText`redrive dlq split ${fingerprint} --by ${by}`,
        run: split,
        missing: by === '' ? 'Give a text that the messages have.' : undefined,
        said: 'The cause is split. Its letters move in the background.',
        shows: by !== '' && <Trial of={body} act={split} say={splitText} />,
      };
    },
  };
}

function splitText({ letters, to }: CausesMergeAnswer): string {
  const all = bounded(letters.count, letters.bounded);
  return `This would split off ${all} letters, as ${plural(to.length, 'cause', 'causes')}.`;
}

function renaming({ fingerprint, pattern }: Group): Dialog {
  return {
    questions: [{ name: 'title', label: 'Title', first: causeText(pattern) }],
    act: ({ title = '' }) => ({
      title: 'Rename the cause',
      lede: 'No letter moves. The fingerprint stays.',
      button: 'Rename',
      command: commandText`redrive dlq rename ${fingerprint} ${title}`,
      run: (why) => client.causes.rename({ ...why, cause: fingerprint, title }),
      missing: title === '' ? 'Give a title.' : undefined,
      said: 'The cause has another title.',
    }),
  };
}

function removing(name: string): Dialog {
  const remove = (how: How) => client.causes.removeRule({ ...how, name });
  return {
    act: () => ({
      title: `Remove the rule ${name}`,
      lede: 'Its letters go back to the causes that they have without it.',
      button: 'Remove the rule',
      command: commandText`redrive dlq remove-rule ${name}`,
      run: remove,
      said: 'The rule is removed. Its letters move in the background.',
      shows: <Trial of={name} act={remove} say={backText} />,
    }),
  };
}

function backText({ letters, to }: CausesMergeAnswer): string {
  if (letters.count === 0) return 'No letter has to move.';
  const all = bounded(letters.count, letters.bounded);
  return `${all} letters go back to ${plural(to.length, 'cause', 'causes')}.`;
}

interface How {
  readonly reason?: string;
  readonly dry_run?: boolean;
}

interface TrialProps {
  /** What the act is about: another one is tried anew. */
  readonly of: unknown;
  readonly act: (how: How) => Promise<CausesMergeAnswer>;
  readonly say: (change: CausesMergeAnswer) => string;
}

/** What the act would do to the stored letters. */
function Trial({ of, act, say }: TrialProps) {
  const key = JSON.stringify(of);
  const [tried, setTried] = useState({ key: '', text: '' });
  useEffect(() => {
    let isOld = false;
    const timer = clock.setTimer(TRY_AFTER_MS, async () => {
      const text = await act({ dry_run: true }).then(say, (error) => asProblem(error).message);
      if (!isOld) setTried({ key, text });
    });
    return () => {
      isOld = true;
      timer.cancel();
    };
  }, [key]);
  return (
    <p class="trial" role="status">
      {tried.key === key ? tried.text : 'Trying…'}
    </p>
  );
}

/** The rules in force. */
export function CauseRules() {
  const { data } = useRead(client.causes.list, {}, { everyMs: 30_000, on: ['control'] });
  if (data === undefined || data.rules.length === 0) return null;
  return (
    <section class="cause-rules" aria-label="Rules of causes">
      <h3>
        Rules of causes
        {data.moving !== null && <span>letters are being moved</span>}
      </h3>
      <ul>
        {data.rules.map((rule) => (
          <li key={rule.name}>
            <span>
              <span class="mono">{rule.name}</span>
              <span class="l2">
                {ruleText(rule)} · {rule.from_file ? 'configuration' : rule.by}
                {rule.why && !rule.from_file && `: “${rule.why}”`}
              </span>
            </span>
            {whyNot('operator') === undefined && (
              <button
                type="button"
                class="link"
                onClick={() => setParams({ act: 'remove-rule', scope: rule.name })}
              >
                Remove…<span class="sr"> the rule {rule.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ruleText({ title, name, into, split_by, split_pattern, fingerprints }: Rule): string {
  if (split_by !== null) return `splits by ${split_by}`;
  if (split_pattern !== null) return `splits by ${split_pattern}`;
  const isTitle = into !== null && fingerprints.length === 1 && fingerprints[0] === into;
  return isTitle ? `title “${title ?? name}”` : `joins as “${causeText(title ?? name)}”`;
}
