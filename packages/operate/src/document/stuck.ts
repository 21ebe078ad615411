import { plannedDocuments, sendDocuments, stuckDocuments } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { flag, NEXT, nameText, PAGE } from '../action/scalars.ts';
import {
  COLLECTIONS,
  collectionsOf,
  EXPLAINED,
  explainedAnswer,
  STUCK as STUCK_DOCUMENT,
  stuckAnswer,
} from './document-answer.ts';
import { sweepOf, sweepsOf } from './known-sweep.ts';

export const COLLECTION = nameText().describe('name of the collection under sweeps');
/** Of a list: documents belong to no tenant. */
export const LISTED = {
  collection: nameText().optional().describe('one collection; all without one'),
  ...PAGE,
};
export const MAX_IDS = 500;
export const idsOf = (summary: string) => z.array(nameText()).max(MAX_IDS).describe(summary);

export const STUCK = {
  list: action({
    at: 'GET /v1/stuck',
    summary: 'list stuck documents, the longest stuck first',
    role: 'viewer',
    reads: 'sessions',
    polled: true,
    refusals: { no_match: 'no collection is swept, or none of that name' },
    input: z.strictObject({
      ...LISTED,
      invalid: flag
        .default(false)
        .describe('documents whose count, time or id cannot be right, which are never sent'),
    }),
    answer: z.object({
      documents: z.array(STUCK_DOCUMENT).describe('by collection, the longest stuck first'),
      collections: COLLECTIONS,
      next: NEXT,
    }),
    verdict: ({ collections }) => (collections.length === 0 ? 'no_match' : 'ok'),
    run: async (context, { collection, limit, after, invalid }) => {
      const sweeps = await sweepsOf(context, collection);
      const page = { limit, after, invalid, signal: context.signal };
      const { items, next } = await stuckDocuments(context.store, sweeps, page);
      if (items[0] !== undefined) context.asOf(items[0].nowMs);
      const collections = collectionsOf(sweeps);
      return { documents: items.map(stuckAnswer), collections, next: next ?? null };
    },
  }),

  explain: action({
    at: 'GET /v1/stuck/:collection/:id',
    summary: 'say why a document was not sent again, and when it will be',
    role: 'viewer',
    reads: 'sessions',
    refusals: { no_match: 'there is no such document' },
    input: z.strictObject({
      collection: COLLECTION,
      id: nameText().describe('id of the document'),
    }),
    answer: EXPLAINED,
    run: async (context, { collection, id }) => {
      const sweep = await sweepOf(context, collection);
      const { documents, nowMs } = await sweep.source.byIds(sweep.collection, [id]);
      const found = documents.map((document) => ({ sweep, document, nowMs }));
      const [planned] = await plannedDocuments(context.store, found);
      if (planned === undefined) throw noDocument(collection, id);
      context.asOf(nowMs);
      return explainedAnswer(planned);
    },
  }),

  release: act({
    at: 'POST /v1/stuck/:collection/release',
    summary: 'send the events of documents now, whatever their age and back-off are',
    details: 'Each becomes a job that claims its document when it runs, and counts an attempt.',
    role: 'operator',
    input: z.strictObject({ collection: COLLECTION, ids: idsOf('ids of documents').min(1) }),
    answer: z.object({
      collection: z.string().describe('its name'),
      released: z.number().describe('documents whose event is a job now, or would be'),
      refused: z
        .array(
          z.object({
            id: z.string().describe('id of the document'),
            why: z.string().describe('why its event is not sent, such as "is processed"'),
          }),
        )
        .describe('the others'),
    }),
    verdict: ({ refused }) => (refused.length > 0 ? 'partial' : 'ok'),
    run: async (context, { collection, ids, dry_run }) => {
      const { store, actor, clock } = context;
      const sweep = await sweepOf(context, collection);
      const wish = { ids, actor, clock, dryRun: dry_run };
      const { sent, refused } = await sendDocuments(store, sweep, wish);
      const others = refused.map(({ id, why }) => ({ id, why }));
      return { collection, released: sent.length, refused: others };
    },
  }),
};

export function noDocument(collection: string, id: string): Refusal {
  return new Refusal('not_found', `The collection ${collection} has no document ${id}.`);
}
