import { commandText } from '@redrive/core/fields';
import type { FullStore, Job } from '@redrive/durable';
import { readCauses } from '@redrive/durable/dead-letters';
import { MAX_DEAD_COUNT, payloadText, readLetters } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action, stream } from '../action/action.ts';
import { ownJob, valuesFor } from '../action/own-tenant.ts';
import { Refusal } from '../action/refusal.ts';
import { anything, count, NEXT, nameText, PAGE } from '../action/scalars.ts';
import type { Who } from '../action/who.ts';
import { carryOut } from '../operation/bulk.ts';
import { BULK, bulkVerdict } from '../operation/bulk-answer.ts';
import { TERMS } from '../operation/bulk-input.ts';
import { COMPARED, comparedAnswer } from './causes-answer.ts';
import { DEAD_FILTER, deadFilterOf } from './dead-filter.ts';
import { GROUP, groupAnswers } from './group-answer.ts';
import { COUNT, isLetter, LETTER_SUMMARY, letterAnswer, letterSummary } from './letter-answer.ts';
import { LETTER, SHOWN, SHOWN_LETTER } from './letter-schema.ts';
import { STATS, statsAnswer } from './stats-answer.ts';

const ID = nameText().describe('id of the dead letter');
const NO_LETTER = { no_match: 'there is no dead letter with that id' };

/** The part that all reads of many letters share. */
const READ = { role: 'viewer', tenants: true } as const;

export const DEAD_LETTERS = {
  list: action({
    ...READ,
    at: 'GET /v1/dead-letters',
    summary: 'list dead letters, the newest death first',
    details:
      'Their number is counted up to 10,000. With a filter that no index serves, a page looks at 20,000 letters at most, so it can have fewer letters than its limit and still have a `next`.',
    reads: 'sessions',
    input: z.strictObject({ ...DEAD_FILTER, ...PAGE }),
    answer: z.object({
      letters: z.array(LETTER_SUMMARY).describe('newest death first'),
      total: z.object(COUNT).describe('of all pages'),
      next: NEXT,
    }),
    run: async ({ store, who, clock, remember }, { limit, after, ...given }) => {
      const filter = deadFilterOf(given, who, clock.now());
      const [found, total] = await Promise.all([
        store.deadLetters(filter, { limit, after }),
        // The same on every page of the list.
        remember(`total ${JSON.stringify(filter)}`, () => store.countDead(filter, MAX_DEAD_COUNT)),
      ]);
      return { letters: found.jobs.map(letterSummary), total, next: found.next ?? null };
    },
  }),

  groups: action({
    ...READ,
    at: 'GET /v1/dead-letters/groups',
    summary: 'list the causes of dead letters, the one with the newest death first',
    details:
      'Errors that differ only in numbers, ids, addresses, times and quoted texts have one cause; numbers that carry a meaning count, such as the status of HTTP or the reply code of a mail server. Each is counted up to 10,000, and has the message of its newest letter, the handlers of its newest 100 letters and the next command to type.',
    reads: 'sessions',
    polled: true,
    input: z.strictObject({
      ...DEAD_FILTER,
      ...PAGE,
      limit: count(1, 100).default(20).describe('number of causes, 1 to 100; default 20'),
    }),
    answer: z.object({ groups: z.array(GROUP).describe('newest death first'), next: NEXT }),
    run: async ({ store, who, clock }, { limit, after, ...given }) => {
      const filter = deadFilterOf(given, who, clock.now());
      const found = await store.deadGroups(filter, { limit, after });
      const groups = await groupAnswers(store, filter, found.groups, clock.now());
      return { groups, next: found.next ?? null };
    },
  }),

  stats: action({
    ...READ,
    at: 'GET /v1/dead-letters/stats',
    summary: 'count dead letters by reason, handler, cause and time',
    details:
      'Counting stops at 10,000, for each hour and day as well; reasons and handlers are those of the newest 10,000.',
    reads: 'metrics',
    polled: true,
    input: z.strictObject(DEAD_FILTER),
    answer: STATS,
    run: ({ store, who, clock }, given) =>
      statsAnswer(store, deadFilterOf(given, who, clock.now()), clock.now()),
  }),

  // Not for a tenant: the jobs that succeeded are those of all tenants.
  causes: action({
    at: 'GET /v1/dead-letters/causes',
    summary: 'compare dead letters of each cause with jobs that succeeded',
    details:
      'For each group of "redrive dlq groups" it names the handler, queue, tenant, collection, worker, policy version, payload kind or hour of the first attempt, or a pair of these, that sets its dead letters apart from jobs that succeeded. The filters handler, queue, tenant and tag select the succeeded jobs too. It looks at the newest 20,000 dead letters, and at up to 20,000 succeeded jobs that were submitted in the same hours. If more jobs succeeded, only jobs that were submitted in some minutes of that time are compared, evenly over it. A cause has at least 5 dead letters, at least twice the odds of failing, and a score above 2 ln(n / 0.01), where n is the number of values and pairs in the group: about one in 100 groups without a cause gets one by chance. The score is the G statistic of the four counts, less 6 for a pair.',
    role: 'viewer',
    reads: 'sessions',
    heavy: true,
    input: z.strictObject({
      ...DEAD_FILTER,
      limit: count(1, 100).default(20).describe('number of groups, 1 to 100; default 20'),
    }),
    answer: COMPARED,
    run: async ({ store, who, clock, signal }, { limit, ...given }) =>
      comparedAnswer(
        await readCauses(store, deadFilterOf(given, who, clock.now()), { signal }),
        limit,
      ),
  }),

  payload: action({
    ...READ,
    at: 'GET /v1/dead-letters/:id/payload',
    summary: 'the whole payload of a dead letter as text, with all digits of its numbers',
    reads: 'payloads',
    refusals: NO_LETTER,
    input: z.strictObject({
      id: ID,
      payload: z
        .enum(['redacted', 'full'])
        .default('redacted')
        .describe('redacted (secrets masked, cut) or full; default redacted'),
    }),
    answer: z.object({
      text: z.string().describe('the payload'),
      kind: z.enum(['json', 'bytes']).describe('a binary payload is shown as JSON, in base64'),
      generation: z.number().describe('attempts of this generation ran with it'),
    }),
    run: async ({ store, who }, { id, payload: shown }) => {
      const values = valuesFor(who, shown);
      const { payload, account } = await ownLetter(store, id, who);
      return {
        text: values === 'none' ? '' : payloadText(payload, values),
        kind: payload.kind,
        generation: account.generation,
      };
    },
  }),
  show: action({
    ...READ,
    at: 'GET /v1/dead-letters/:id',
    summary: 'print a dead letter: why it died, what to do next, every attempt, its payload',
    details: 'Payloads that edits have replaced are shown as well.',
    reads: 'payloads',
    refusals: NO_LETTER,
    input: z.strictObject({ id: ID, payload: SHOWN }),
    answer: SHOWN_LETTER,
    run: async ({ store, who }, { id, payload }) =>
      letterAnswer(store, await ownLetter(store, id, who), valuesFor(who, payload), who.tenant),
  }),

  edit: act({
    at: 'POST /v1/dead-letters/:id/edit',
    summary: 'requeue a dead letter with another payload; the old one is kept',
    role: 'admin',
    tenants: true,
    reason: true,
    refusals: {
      ...NO_LETTER,
      refused: 'the payload is binary, or too large',
      conflict: 'the letter was changed in the meantime, or the id belongs to another operation',
    },
    input: z.strictObject({
      id: ID,
      generation: count(1, 1_000_000_000)
        .optional()
        .describe('the edit is refused if the letter is no longer in this generation'),
      payload: anything().optional().describe('the new payload'),
      payload_text: z
        .string()
        .refine(isJson, 'is not JSON')
        .optional()
        .describe('instead of `payload`: JSON whose numbers keep all their digits'),
      operation: TERMS.id,
    }),
    verdict: bulkVerdict,
    answer: BULK,
    run: async (context, { id, generation, payload, payload_text, operation, dry_run }) => {
      const { store, who, actor } = context;
      const begun = operation === undefined ? undefined : await store.operation(operation);
      const letter = begun?.acted ? await ownJob(store, id, who) : await ownLetter(store, id, who);
      if (letter !== undefined && letter.payload.kind !== 'json') {
        const hint = 'Enqueue another job instead.';
        throw new Refusal('refused', `The payload of ${id} is binary, not JSON.`, hint);
      }
      const now = letter?.account.generation ?? 1;
      const wish = {
        act: 'requeue',
        // An edit of another operator began another generation.
        target: { ids: [{ id, generation: generation ?? (begun?.acted ? now - 1 : now) }] },
        payload: { kind: 'json', text: payload_text ?? JSON.stringify(payload ?? null) },
        ...{ actor, tenant: who.tenant },
      } as const;
      return carryOut(context, wish, { id: operation, wait: true, dry_run }, false);
    },
  }),

  export: stream({
    ...READ,
    at: 'GET /v1/dead-letters/export',
    summary: 'dead letters as JSON lines, the newest death first',
    reads: 'payloads',
    exports: true,
    heavy: true,
    input: z.strictObject({
      ...DEAD_FILTER,
      payload: SHOWN,
      limit: count(1, 1_000_000_000)
        .default(10_000)
        .describe('at most this many letters; default 10,000'),
    }),
    answer: LETTER,
    stream: async function* ({ store, who, clock, signal }, { limit, payload, ...given }) {
      const shown = valuesFor(who, payload);
      const filter = deadFilterOf(given, who, clock.now());
      for await (const letter of readLetters(store, filter, limit, shown, () => {})) {
        yield letter;
        if (signal.aborted) return;
      }
    },
  }),
} as const;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws Refusal `not_found` */
async function ownLetter(store: FullStore, id: string, who: Who): Promise<Job> {
  const job = await ownJob(store, id, who);
  if (job === undefined) throw new Refusal('not_found', `There is no job with the id ${id}.`);
  if (isLetter(job)) return job;
  const hint = `Look at it with: ${commandText`redrive jobs show ${id}`}`;
  throw new Refusal('not_found', `${id} is not a dead letter: its state is ${job.state}.`, hint);
}
