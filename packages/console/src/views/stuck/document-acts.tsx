import { commandText } from '@redrive/core/fields';
import { client } from '../../api.ts';
import { type Act, Effect, type Offer, type Question } from '../../components/index.ts';
import { num, plural } from '../../format.ts';
import type { Item } from '../stuck.tsx';

interface DocumentAct {
  readonly name: 'release' | 'reset' | 'archive' | 'purge';
  readonly role: 'operator' | 'admin';
  readonly word: string;
  readonly past: string;
  /** The acts on failed documents only. */
  readonly isOfFailed: boolean;
}

const ACTS: readonly DocumentAct[] = [
  { name: 'release', role: 'operator', word: 'Send now', past: 'sent', isOfFailed: false },
  {
    ...{ name: 'reset', role: 'operator', word: 'Reset', isOfFailed: true },
    past: 'pending again, as never attempted',
  },
  {
    ...{ name: 'archive', role: 'admin', word: 'Archive', isOfFailed: true },
    past: 'moved to the archive',
  },
  {
    ...{ name: 'purge', role: 'admin', word: 'Purge', isOfFailed: true },
    past: 'deleted for good',
  },
];

/** The acts on one document, or on many: each is carried out in one collection. */
export function documentActs(items: readonly Item[]): readonly Offer[] {
  return ACTS.flatMap((act): Offer[] => {
    const eligible = items.filter(({ reason }) =>
      act.isOfFailed ? reason === 'failed' : reason !== 'invalid',
    );
    if (eligible.length === 0) return [];
    const { name, word } = act;
    const byCollection = Map.groupBy(eligible, ({ collection }) => collection);
    const [first = ''] = byCollection.keys();
    const collections: Question = {
      ...{ name: 'collection', label: 'Collection', first, as: 'select' },
      options: [...byCollection].map(([each, own]) => [each, `${each} (${num(own.length)})`]),
    };
    return [
      {
        name,
        label: `${word}…`,
        ...(name === 'purge' && { look: 'line' }),
        questions: byCollection.size > 1 ? [collections] : [],
        act: ({ collection = first }) => {
          const ids = (byCollection.get(collection) ?? []).map(({ id }) => id);
          const others = items.filter((item) => item.collection === collection).length - ids.length;
          return actOn(act, { collection, ids, others });
        },
      },
    ];
  });
}

interface Documents {
  readonly collection: string;
  readonly ids: readonly string[];
  /** Documents of the collection that the act does not take. */
  readonly others: number;
}

const SHOWN = 5;

function actOn(act: DocumentAct, { collection, ids, others }: Documents): Act {
  const { name, role, word, past, isOfFailed } = act;
  const isPurge = name === 'purge';
  const [first = ''] = ids;
  const isOne = ids.length === 1;
  const documents = plural(ids.length, 'document');
  const named = commandText`${[collection, ...ids.slice(0, SHOWN)]}`;
  const command = `${isOfFailed ? 'documents' : 'stuck'} ${name}${isPurge ? commandText` --confirm ${collection}` : ''}`;
  return {
    ...{ role, title: isOne ? `${word} ${first}` : `${word}: ${documents} of ${collection}` },
    ...{ danger: isPurge, needsReason: isOfFailed },
    button: isOne && !isPurge ? word : `${word} ${documents}`,
    confirm: isPurge ? ['the collection', collection] : undefined,
    said: (answer) => saidOf(answer, past),
    command: `redrive ${command} ${named}${ids.length > SHOWN ? ' …' : ''}`,
    run: (why) => {
      if (name === 'release') return client.stuck.release({ ...why, collection, ids });
      const input = { reason: '', ...why, collection, ids };
      return isPurge
        ? client.documents.purge({ ...input, confirm: collection })
        : client.documents[name](input);
    },
    shows: !isOne && (
      <Effect
        title="What"
        lines={[
          [num(ids.length), `of ${collection}: ${ids.slice(0, SHOWN).join(', ')}`],
          ...(others > 0 ? [[num(others), 'cannot: the act takes failed documents only']] : []),
        ]}
      />
    ),
  };
}

/** The answer of both kinds of routes. */
interface Answer {
  readonly released?: number;
  readonly done?: number;
  readonly refused?: readonly { readonly why: string }[];
}

function saidOf(answer: unknown, past: string): string {
  const { released = 0, done = released, refused = [] } = Object(answer) as Answer;
  const [first] = refused;
  const left = first && `${plural(refused.length, 'document')} not: the first ${first.why}.`;
  const acted = done > 0 && `${done === 1 ? 'It is' : `${num(done)} are`} ${past}.`;
  return [acted, left].filter(Boolean).join(' ');
}
