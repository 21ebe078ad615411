import type { ActWish } from '@redrive/durable';

/** What can be done to dead letters. */
export type LetterAct = Exclude<ActWish['act'], 'cancel'>;

export type LetterWish = ActWish & { readonly act: LetterAct };

interface Words {
  /** `3 dead letters … requeued`. */
  readonly done: string;
  /** What else there is to say about many of them, and about one. */
  readonly more: string;
  readonly one?: string;
}

export const ACT_WORDS: Readonly<Record<LetterAct, Words>> = {
  requeue: {
    done: 'requeued',
    more: 'Each begins a new generation with all its attempts.',
    one: 'It begins a new generation with all its attempts.',
  },
  reset: {
    done: 'reset',
    more: 'All attempts are available again. They stay dead letters until they are requeued.',
    one: 'All its attempts are available again. It stays a dead letter until it is requeued.',
  },
  purge: { done: 'purged', more: '' },
  restore: { done: 'restored', more: 'They are dead letters again, as they were.' },
};

export function moreText(act: LetterAct, count: number): string {
  const { more, one = more } = ACT_WORDS[act];
  return count === 1 ? one : more;
}

export function lettersText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'dead letter' : 'dead letters'}`;
}
