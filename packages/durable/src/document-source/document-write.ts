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
  readonly operation: 'claim' | 'settle' | 'fail' | 'record' | 'reset';
  /**
   * `unchanged`: status, count and time are those of `stamp`. `claimed`: the mark has this `event` and `sent: false`.
   * `claimed_from_stamp`: that, and the status is that of `stamp`, the count that of `stamp` plus 1. `failed`: the status
   * is `collection.failed`.
   */
  readonly where: 'unchanged' | 'claimed' | 'claimed_from_stamp' | 'failed';
  readonly set: Partial<NewValues>;
}

interface NewValues {
  readonly status: string;
  /** `raised`: one more, where a missing count is 0. */
  readonly count: 'raised' | 'stamp' | 0 | 1;
  readonly time: 'now' | 'now_if_pending' | 'stamp' | 'none';
  /** `unsent` and `sent`: `{ event, sent, at: now }`. `now_sent`: the mark as it is, with `sent: true`. */
  readonly mark: 'unsent' | 'sent' | 'now_sent' | 'none';
  readonly error: 'given' | 'none';
}

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

/** An adapter's part: one write to a list of documents, each compared by itself. Answers in the same order. */
export type WriteDocuments = (
  collection: DocumentCollection,
  write: DocumentWrite,
  targets: readonly WriteTarget[],
) => Promise<readonly boolean[]>;

type Changes = Pick<DocumentSource, 'claim' | 'settle' | 'fail' | 'record' | 'reset'>;

const CLAIM: DocumentWrite = {
  operation: 'claim',
  where: 'unchanged',
  set: { count: 'raised', time: 'now', mark: 'unsent' },
};

const SETTLE = {
  sent: {
    operation: 'settle',
    where: 'claimed',
    set: { time: 'now_if_pending', mark: 'now_sent' },
  },
  dropped: { operation: 'settle', where: 'claimed', set: { mark: 'none' } },
  put_back: {
    operation: 'settle',
    where: 'claimed_from_stamp',
    set: { count: 'stamp', time: 'stamp', mark: 'none' },
  },
} satisfies Record<string, DocumentWrite>;

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
    claim: (collection, claims) => write(collection, CLAIM, claims),
    settle: (collection, settlements) => each(collection, settlements, ({ to }) => SETTLE[to]),
    fail(collection, failures) {
      const set = { status: collection.failed, mark: 'unsent' } as const;
      return write(collection, { operation: 'fail', where: 'unchanged', set }, failures);
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
    async reset(collection, resets) {
      const { pending, fields } = collection;
      const reset = (set: DocumentWrite['set']): DocumentWrite => {
        return { operation: 'reset', where: 'failed', set: { status: pending[0] ?? '', ...set } };
      };
      const toSend = reset({ count: 1, time: 'now', mark: 'sent' });
      const toFind = reset({ count: 0, time: 'none', mark: 'none' });
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
