import { schedules } from '@redrive/durable/control';
import { SWEEP_HANDLER, type Sweep } from '@redrive/durable/documents';
import {
  actOnDocuments,
  countFailed,
  explainedDocument,
  failedDocuments,
  failedJson,
  type ListedDocument,
  numbersIn,
  planRelease,
  sendDocument,
  stuckDocuments,
  stuckJson,
  withSurroundings,
} from '@redrive/durable/store';
import * as z from 'zod';
import { document, id, listOf, page } from '../inputs.ts';
import { notFound, Problem } from '../problem.ts';
import { type AnyRoute, type Ask, route } from '../route.ts';

const list = page.extend({ collection: id.optional() });
const ids = z.array(id).min(1).max(500);
/** Documents belong to no tenant. */
const LOOK = { role: 'viewer', reads: 'sessions' } as const;

/** Sweeps, stuck and failed documents, and the checks of the installation. */
export const DOCUMENT_ROUTES: readonly AnyRoute[] = [
  route({
    ...LOOK,
    at: 'GET /v1/sweeps',
    summary: 'numbers of all sweeps, as their metrics are called',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: document({}),
    handle: async ({ store }) => {
      const { schedules: all } = await schedules(store);
      return numbersIn(all.find((one) => one.name === SWEEP_HANDLER)?.totals ?? {});
    },
  }),
  route({
    ...LOOK,
    at: 'GET /v1/stuck',
    summary:
      'list stuck documents, the longest stuck first; with invalid, those that are never sent',
    polled: true,
    input: list.extend({ invalid: z.stringbool().default(false) }),
    answer: listOf('documents', { collection: z.string(), id: z.string(), next: z.string() }),
    handle: async (ask) => {
      const sweeps = await swept(ask);
      const { items, next } = await stuckDocuments(ask.store, sweeps, {
        ...{ ...ask.input, signal: ask.givenUp },
      });
      const collections = sweeps.map(({ name, thresholdMs, policy }) => ({
        ...{ name, stuck_after_ms: thresholdMs, max_attempts: policy.maxAttempts },
      }));
      return { documents: items.map(stuckJson), collections, next: next ?? null };
    },
  }),
  route({
    ...LOOK,
    at: 'GET /v1/stuck/:collection/:id',
    summary: 'say why a document was not sent again, and when it will be',
    input: z.strictObject({ collection: id, id }),
    answer: document({ id: z.string(), verdict: z.string() }),
    handle: async (ask) => {
      const sweep = await sweepOf(ask);
      const { documents, nowMs } = await sweep.source.byIds(sweep.collection, [ask.input.id]);
      const [found] = documents;
      if (found === undefined) throw notFound(`document ${ask.input.id} in ${sweep.name}`);
      const [listed] = await withSurroundings(ask.store, [{ sweep, document: found, nowMs }]);
      // One document in, one out.
      return explainedDocument(listed as ListedDocument);
    },
  }),
  route({
    at: 'POST /v1/stuck/:collection/release',
    summary: 'send the events of documents now, whatever their age and back-off are',
    role: 'operator',
    input: z.strictObject({ collection: id, ids }),
    answer: document({ released: z.number() }),
    handle: async (ask) => {
      const { store, input, actor, clock } = ask;
      const sweep = await sweepOf(ask);
      const { due, refused, nowMs } = await planRelease(sweep, input.ids);
      for (const one of due)
        await sendDocument(store, sweep, { document: one, nowMs, actor, clock });
      return { collection: sweep.name, released: due.length, refused, dry_run: false };
    },
  }),
  route({
    ...LOOK,
    at: 'GET /v1/documents',
    summary: 'list failed documents, the oldest attempt first',
    input: list,
    answer: listOf('documents', { collection: z.string(), id: z.string() }),
    handle: async (ask) => {
      const request = { ...ask.input, signal: ask.givenUp };
      const { items, next } = await failedDocuments(await swept(ask), request);
      return { documents: items.map(failedJson), next: next ?? null };
    },
  }),
  ...(
    [
      ['reset', 'operator', 'make failed documents pending again, as never attempted'],
      ['archive', 'admin', 'move failed documents to <collection>_dead_letters'],
      ['purge', 'admin', 'delete failed documents for good; confirm is the name of the collection'],
    ] as const
  ).map(([act, role, summary]) =>
    route({
      at: `POST /v1/documents/:collection/${act}`,
      summary: `${summary}; ids, or all`,
      role,
      reason: true,
      input: z
        .strictObject({
          collection: id,
          ids: ids.optional(),
          all: z.literal(true).optional(),
          confirm: id.optional(),
        })
        .refine((given) => (given.ids === undefined) !== (given.all === undefined), {
          error: 'either ids or all',
        }),
      answer: document({ act: z.string(), done: z.number(), left: z.number() }),
      handle: async (ask) => {
        const sweep = await sweepOf(ask);
        const { confirm, ids: named = [] } = ask.input;
        const eligible = await countFailed(sweep, named);
        if (eligible === 0) throw notFound(`such document of ${sweep.name} that is failed`);
        if (act === 'purge' && confirm !== sweep.name) {
          const message = `${eligible} failed documents of ${sweep.name} would be deleted for good. To go ahead, send "confirm": "${sweep.name}".`;
          throw new Problem(409, 'not_confirmed', message);
        }
        const request = { act, ids: named, eligible, actor: ask.actor };
        const result = await actOnDocuments(ask.store, sweep, request);
        return { collection: sweep.name, act, ...result, dry_run: false };
      },
    }),
  ),
  route({
    ...LOOK,
    at: 'GET /v1/doctor',
    summary: 'check store, schema, disk, clocks, workers, schedules, brokers and databases',
    reads: 'metrics',
    heavy: true,
    polled: true,
    input: z.strictObject({}),
    answer: document({ ok: z.boolean() }),
    handle: async ({ doctor }) => {
      if (doctor === undefined) throw notFound('doctor in this server: run "redrive doctor"');
      return doctor();
    },
  }),
];

/** The collections of a list. @throws Problem 404 */
async function swept(ask: Ask<{ readonly collection?: string | undefined }>) {
  const { collection } = ask.input;
  return collection === undefined ? ask.sweeps() : [await sweepOf(ask)];
}

/** @throws Problem 404 */
async function sweepOf(ask: Ask<{ readonly collection?: string | undefined }>): Promise<Sweep> {
  const { collection } = ask.input;
  const found = (await ask.sweeps()).find(({ name }) => name === collection);
  if (found === undefined) throw notFound(`collection ${collection} that is swept`);
  return found;
}
