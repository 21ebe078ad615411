import {
  type DocumentCollection,
  type DocumentSource,
  MAX_DOCUMENT_PAGE_BYTES,
} from './document-source.ts';

/**
 * A compare-and-set in the words of the port: the condition, and the new values by field. All changes of documents are such
 * writes, so that an adapter translates the words once. A field that `set` lacks stays.
 */
export interface DocumentWrite {
  readonly operation: 'claim' | 'settle' | 'fail' | 'record' | 'reset' | 'note';
  /**
   * `unchanged`: status, count and time are those of `stamp`. `unclaimed`: that, and the mark has no `sent: false`.
   * `claimed`: the mark has this `event` and `sent: false`. `failed`: the status is `collection.failed`.
   */
  readonly where: 'unchanged' | 'unclaimed' | 'claimed' | 'failed';
  readonly set: Partial<NewValues>;
}

interface NewValues {
  readonly status: string;
  /** `raised`: one more, where a missing count is 0, and what is not a number stays. */
  readonly count: 'raised' | 0;
  readonly time: 'now' | 'none';
  /** `none`: the mark is removed. */
  readonly mark: MarkChange | 'none';
  readonly error: 'given' | 'none';
}

/** New parts of a mark, of which others stay. A mark without parts is removed. */
export interface MarkChange {
  readonly remove: readonly MarkPart[];
  readonly set: Readonly<Partial<Record<MarkPart, MarkValue>>>;
}

export type MarkPart = 'event' | 'sent' | 'at' | 'attempt' | 'firstStuckAt' | 'foundAt';

/**
 * `event`: that of the target. `now`: the time. `kept_or_now`: the part as it is, else the time. `next`: the count plus 1,
 * where a missing count is 0. `current`: the count.
 */
export type MarkValue = 'event' | 'now' | 'kept_or_now' | 'next' | 'current' | boolean | 1;

/** A document of a write, with the values that the words of the write speak of. */
export interface WriteTarget {
  readonly id: string;
  readonly stamp?: string | undefined;
  readonly event?: string | undefined;
  readonly error?: string | undefined;
}

/** An adapter's expression of each word. */
export type Expressions<T> = {
  readonly [Field in keyof NewValues]: (word: NewValues[Field]) => T;
};

const FIELDS = ['status', 'count', 'time', 'mark', 'error'] as const;

/** The new values of a write, by field. */
export function newValues<T>({ set }: Pick<DocumentWrite, 'set'>, expressions: Expressions<T>) {
  const value = <Field extends keyof NewValues>(field: Field) => {
    const word: NewValues[Field] | undefined = set[field];
    return word === undefined ? [] : [[field, expressions[field](word)] as const];
  };
  return FIELDS.flatMap((field) => value(field));
}

/** The new parts of a mark, each as the adapter's expression of its value. */
export function newParts<T>(
  { set }: MarkChange,
  expression: (value: MarkValue, part: MarkPart) => T,
): readonly (readonly [MarkPart, T])[] {
  // The keys are those of the changes below.
  const parts = Object.entries(set) as [MarkPart, MarkValue][];
  return parts.map(([part, value]) => [part, expression(value, part)] as const);
}

/** An adapter's part: one write to a list of documents, each compared by itself. Answers in the same order. */
export type WriteDocuments = (
  collection: DocumentCollection,
  write: DocumentWrite,
  targets: readonly WriteTarget[],
) => Promise<readonly boolean[]>;

type Changes = Pick<DocumentSource, 'claim' | 'settle' | 'fail' | 'record' | 'reset' | 'note'>;

const claimOf = (attempt: MarkValue): MarkChange['set'] => {
  return { event: 'event', sent: false, at: 'now', attempt };
};

// A document that was never attempted keeps that it was found until its attempt counts: without it, a sweep would take
// one that is stuck for one whose owner has reset its count.
const FOUND = { foundAt: 'kept_or_now' } as const;
const STUCK = { firstStuckAt: 'kept_or_now' } as const;

const claimWith = (more: MarkChange['set']): DocumentWrite => ({
  operation: 'claim',
  where: 'unclaimed',
  set: { mark: { remove: [], set: { ...claimOf('next'), ...more } } },
});
const CLAIM = claimWith({});
const NOTED_CLAIM = { found: claimWith(FOUND), stuck: claimWith(STUCK) };

const SENT: MarkChange = { remove: ['foundAt'], set: { sent: true } };
const STORED: MarkChange = { remove: [], set: { sent: true } };
const UNCLAIMED: MarkChange = { remove: ['event', 'sent', 'at', 'attempt'], set: {} };

const settleWith = (set: DocumentWrite['set']): DocumentWrite => {
  return { operation: 'settle', where: 'claimed', set };
};
const SETTLE = {
  sent: settleWith({ count: 'raised', time: 'now', mark: SENT }),
  stored: settleWith({ mark: STORED }),
  dropped: settleWith({ mark: UNCLAIMED }),
};

const noteWith = (
  mark: MarkChange | 'none',
  where: DocumentWrite['where'] = 'unchanged',
): DocumentWrite => {
  return { operation: 'note', where, set: { mark } };
};
const NOTE = {
  found: noteWith({ remove: [], set: FOUND }, 'unclaimed'),
  stuck: noteWith({ remove: [], set: STUCK }),
  calm: noteWith({ remove: ['firstStuckAt', 'foundAt'], set: {} }),
  cleared: noteWith('none', 'unclaimed'),
};

/** The changes of the port, as writes. */
export function changesBy(write: WriteDocuments, byIds: DocumentSource['byIds']): Changes {
  /** One call for all targets that have the same write: usually for the whole list. */
  async function each<T extends WriteTarget>(
    collection: DocumentCollection,
    targets: readonly T[],
    writeOf: (target: T) => DocumentWrite,
  ): Promise<readonly boolean[]> {
    const answers = targets.map(() => false);
    const groups = Map.groupBy(targets.entries(), ([, target]) => writeOf(target));
    for (const [one, group] of groups) {
      const written = await write(
        collection,
        one,
        group.map(([, target]) => target),
      );
      for (const [index, [place]] of group.entries()) answers[place] = written[index] === true;
    }
    return answers;
  }

  return {
    claim: (collection, claims) =>
      each(collection, claims, ({ note }) => (note === undefined ? CLAIM : NOTED_CLAIM[note])),
    settle: (collection, settlements) => each(collection, settlements, ({ to }) => SETTLE[to]),
    fail(collection, failures) {
      const mark = { remove: [], set: claimOf('current') } as const;
      const set = { status: collection.failed, mark };
      return write(collection, { operation: 'fail', where: 'unclaimed', set }, failures);
    },
    record(collection, attempts) {
      const record = (set: DocumentWrite['set']): DocumentWrite => {
        return { operation: 'record', where: 'unchanged', set };
      };
      const begun = record({ time: 'now' });
      const counted = record({ count: 'raised', time: 'now' });
      const succeeded = record({ status: collection.done[0] ?? '', error: 'none' });
      const failed = record({ error: 'given' });
      return each(collection, attempts, (attempt) => {
        if (attempt.to === 'begun') return attempt.isCounted ? counted : begun;
        return attempt.to === 'succeeded' ? succeeded : failed;
      });
    },
    note: (collection, notes) => each(collection, notes, ({ to }) => NOTE[to]),
    async reset(collection, resets) {
      const { pending, fields } = collection;
      const reset = (mark: MarkChange | 'none'): DocumentWrite => {
        const set = { status: pending[0] ?? '', count: 0, time: 'none', mark } as const;
        return { operation: 'reset', where: 'failed', set };
      };
      const toSend = reset({ remove: ['firstStuckAt', 'foundAt'], set: claimOf(1) });
      const toFind = reset('none');
      const answers = await each(collection, resets, ({ event }) =>
        event === undefined ? toFind : toSend,
      );
      const others = resets.filter(({ event }, place) => event !== undefined && !answers[place]);
      if (others.length === 0) return answers;
      // Some of them may have been reset by an earlier call with the same event.
      const bare = { ...collection, fields: { ...fields, read: [] } };
      const { documents } = await byIds(
        bare,
        others.map(({ id }) => id),
      );
      const isPending = documents.filter(({ status }) => pending.includes(status));
      const events = new Map(isPending.map(({ id, mark }) => [id, mark?.event]));
      return resets.map(({ id, event }, place) => {
        return answers[place] === true || (event !== undefined && events.get(id) === event);
      });
    },
  };
}

/** For an adapter that reads documents one by one: answers whether the next one, of `bytes`, is still of the page. */
export function pageBytes(): (bytes: number) => boolean {
  let total = 0;
  let documents = 0;
  return (bytes) => {
    total += bytes;
    documents += 1;
    return documents === 1 || total <= MAX_DOCUMENT_PAGE_BYTES;
  };
}
