import type { FullStore } from '@redrive/durable';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { RARE } from './templates.ts';

/** One kind of page that an operator may ask for. Answers how many entries it has. */
export interface Question {
  readonly name: string;
  /** Finds out, before the time is taken, where the page begins. */
  place?(store: FullStore, round: number): Promise<string | undefined>;
  ask(store: FullStore, round: number, after: string | undefined): Promise<number>;
}

const PAGE = 50;

/** Every kind of page. `fingerprints`: of a frequent cause and of a rare one. */
export function questions(
  newestMs: number,
  oldestMs: number,
  [frequent, rare]: readonly [string, string],
): readonly Question[] {
  /** Another part of time in every round. */
  const partOf = (round: number): DeadFilter => ({
    diedBeforeMs: oldestMs + ((round * 37) % 100) * 0.01 * (newestMs - oldestMs),
  });
  const filters: Readonly<Record<string, (round: number) => DeadFilter>> = {
    'no filter': () => ({}),
    'a time': partOf,
    'frequent cause': () => ({ fingerprint: frequent }),
    'rare cause': () => ({ fingerprint: rare }),
    handler: (round) => ({ handler: `handler-${round % 12}` }),
    'rare handler': () => ({ handler: RARE.handler }),
    'handler without letters': () => ({ handler: 'nobody' }),
    queue: () => ({ queue: 'events' }),
    tenant: (round) => ({ tenant: `tenant-${round * 17}` }),
    'tenant and handler': (round) => ({ tenant: `tenant-${round * 17}`, handler: 'handler-1' }),
    'handler and a time': (round) => ({ ...partOf(round), handler: 'handler-2' }),
    'frequent text': () => ({ text: 'Connection REFUSED' }),
    'text of some causes': () => ({ text: 'cannot parse' }),
    'rare text': () => ({ text: RARE.text }),
    'text that nothing has': () => ({ text: 'no such words' }),
    'frequent text and rare handler': () => ({ text: 'cannot', handler: RARE.handler }),
    'frequent text and a tenant': (round) => ({ text: 'cannot', tenant: `tenant-${round * 17}` }),
    'frequent cause and another handler': () => ({ fingerprint: frequent, handler: 'handler-7' }),
    'frequent tag': () => ({ tag: 'nightly' }),
    'rare tag': () => ({ tag: RARE.tag }),
    'tag that nothing has': () => ({ tag: 'nothing' }),
    'session that nothing has': () => ({ sessionId: 'nothing' }),
    'reason that nothing has': () => ({ reason: 'ttl_exceeded' }),
    'class and handler that do not meet': () => ({ errorClass: 'final', handler: 'handler-3' }),
  };
  return Object.entries(filters).flatMap(
    ([name, filter]) =>
      [
        {
          name: `list: ${name}`,
          ask: async (store, round) =>
            (await store.deadLetters(filter(round), { limit: PAGE })).jobs.length,
        },
        {
          name: `list, oldest first: ${name}`,
          ask: async (store, round) =>
            (await store.deadLetters(filter(round), { limit: PAGE, first: 'oldest' })).jobs.length,
        },
        {
          name: `list, second page: ${name}`,
          place: async (store, round) =>
            (await store.deadLetters(filter(round), { limit: PAGE })).next,
          ask: async (store, round, after) =>
            (await store.deadLetters(filter(round), { limit: PAGE, after })).jobs.length,
        },
        {
          name: `count: ${name}`,
          ask: async (store, round) => (await store.countDead(filter(round), 10_000)).count,
        },
        {
          name: `groups: ${name}`,
          ask: async (store, round) =>
            (await store.deadGroups(filter(round), { limit: PAGE })).groups.length,
        },
      ] satisfies Question[],
  );
}
