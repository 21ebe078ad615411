import type { Sweep } from '@redrive/durable/documents';
import {
  actOnDocuments,
  counted,
  countFailed,
  type DocumentAct,
  failedDocuments,
} from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import { flag, NEXT, text } from '../action/scalars.ts';
import { COLLECTIONS, collectionsOf, FAILED, failedAnswer } from './document-answer.ts';
import { sweepOf, sweepsOf } from './known-sweep.ts';
import { COLLECTION, idsOf, LISTED } from './stuck.ts';

const NO_MATCH = 'no document is failed';
const WISH = {
  collection: COLLECTION,
  ids: idsOf('ids of failed documents; other documents are left as they are').default([]),
  all: flag.default(false).describe('confirm without ids: all failed documents'),
};
type Wish = {
  readonly collection: string;
  readonly ids: readonly string[];
  readonly all: boolean;
  readonly confirm?: string | undefined;
  readonly dry_run: boolean;
};

const ANSWER = z.object({
  collection: z.string().describe('its name'),
  act: z.enum(['reset', 'archive', 'purge']).describe('what was done'),
  done: z.number().describe('documents that were changed, or would be'),
  left: z.number().describe('documents that were not failed any more'),
});

const either = ({ ids, all }: Pick<Wish, 'ids' | 'all'>) =>
  ids.length > 0 && all ? [{ field: 'ids', message: 'Give either ids or all.' }] : [];

export const DOCUMENTS = {
  list: action({
    at: 'GET /v1/documents',
    summary: 'list failed documents, the oldest attempt first',
    role: 'viewer',
    reads: 'sessions',
    refusals: { no_match: 'no collection is swept, or none of that name' },
    input: z.strictObject(LISTED),
    answer: z.object({
      documents: z.array(FAILED).describe('by collection, the oldest attempt first'),
      collections: COLLECTIONS,
      next: NEXT,
    }),
    verdict: ({ collections }) => (collections.length === 0 ? 'no_match' : 'ok'),
    run: async (context, { collection, limit, after }) => {
      const sweeps = await sweepsOf(context, collection);
      const page = { limit, after, signal: context.signal };
      const { items, next } = await failedDocuments(sweeps, page);
      if (items[0] !== undefined) context.asOf(items[0].nowMs);
      const collections = collectionsOf(sweeps);
      return { documents: items.map(failedAnswer), collections, next: next ?? null };
    },
  }),

  reset: act({
    at: 'POST /v1/documents/:collection/reset',
    summary: 'make failed documents pending again, as never attempted: the next sweep sends them',
    details:
      'To send their events at a rate and in stages, requeue their dead letters: "redrive dlq requeue --handler documents.<collection> --rate 50/s". That resets each document and sends its event.',
    role: 'operator',
    reason: true,
    refusals: { no_match: NO_MATCH, refused: 'the confirmation (--yes) is missing' },
    input: z.strictObject(WISH),
    check: either,
    answer: ANSWER,
    run: (context, wish) => actOnFailed(context, 'reset', wish),
  }),

  archive: act({
    at: 'POST /v1/documents/:collection/archive',
    summary: 'move failed documents to <collection>_dead_letters',
    role: 'admin',
    reason: true,
    refusals: { no_match: NO_MATCH, refused: 'the confirmation (--yes) is missing' },
    input: z.strictObject(WISH),
    check: either,
    answer: ANSWER,
    run: (context, wish) => actOnFailed(context, 'archive', wish),
  }),

  purge: act({
    at: 'POST /v1/documents/:collection/purge',
    summary: 'delete failed documents for good',
    details: 'It cannot be undone. Export or archive first.',
    role: 'admin',
    reason: true,
    refusals: { no_match: NO_MATCH, refused: 'the confirmation (--confirm) is missing' },
    input: z.strictObject({
      ...WISH,
      confirm: text()
        .optional()
        .describe('the name of the collection again: without it, only the number is printed'),
    }),
    check: (wish) =>
      wish.ids.length === 0 && !wish.all
        ? [{ field: 'ids', message: 'Give either ids or all.' }]
        : either(wish),
    answer: ANSWER,
    run: (context, wish) => actOnFailed(context, 'purge', wish),
  }),
};

const PAST = { reset: 'reset', archive: 'archived' } as const;

async function actOnFailed(
  context: Context,
  name: DocumentAct,
  wish: Wish,
): Promise<z.output<typeof ANSWER>> {
  const { collection, ids, dry_run } = wish;
  const sweep = await sweepOf(context, collection);
  const eligible = await countFailed(sweep, ids);
  if (eligible === 0)
    throw new Refusal('not_found', `No such document of ${collection} is failed.`);
  if (dry_run) return { collection, act: name, done: eligible, left: 0 };
  checkConsent(name, sweep, wish, eligible);
  const request = { act: name, ids, eligible, actor: context.actor };
  const result = await actOnDocuments(context.store, sweep, request);
  return { collection, act: name, ...result };
}

/** @throws Refusal `not_confirmed`, with the number of documents. */
function checkConsent(
  act: DocumentAct,
  { name }: Sweep,
  { ids, all, confirm }: Wish,
  eligible: number,
): void {
  const documents = counted(eligible, 'failed document');
  if (act === 'purge') {
    if (confirm === name) return;
    const message = `${documents} of ${name} would be deleted for good.`;
    throw new Refusal('not_confirmed', message, `To go ahead: --confirm ${name}`);
  }
  if (ids.length > 0 || all) return;
  const message = `All ${documents} of ${name} would be ${PAST[act]}.`;
  throw new Refusal('not_confirmed', message, 'To go ahead: --yes, in a request "all": true');
}
