import { proveRecord, type Verification, verifyAudit } from '@redrive/durable/audit';
import {
  findRecord,
  formatProblem,
  foundDocument,
  LogRenderer,
  newestRecords,
  newestSeq,
  RECORD_FORMATS,
  RecordFilter,
  recordPlace,
  verificationDocument,
} from '@redrive/durable/store';
import * as z from 'zod';
import { document, id, listOf, ms, page, tenantOf, time } from '../inputs.ts';
import { notFound, Problem } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';
import { within } from '../within.ts';

const HOUR_MS = 3_600_000;
const text = z.string().min(1).max(512);

/** The state of everything, and the audit log. */
export const LOOK_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/figures',
    summary:
      'jobs per minute by result, retry ratio and time to success of the last 1, 2, 6 or 24 hours; from memory',
    role: 'viewer',
    reads: 'metrics',
    input: z.strictObject({ window: z.enum(['1h', '2h', '6h', '24h']).default('2h') }),
    answer: document({ rebuilt: z.boolean(), progress: z.number(), since: z.string() }),
    handle: ({ changes, input }) => changes.figures(Number.parseInt(input.window, 10) * HOUR_MS),
  }),
  route({
    at: 'GET /v1/audit',
    summary:
      'list records of the audit log, the newest first; with format, in a shape of the data models',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    input: page.extend({
      event: text.optional(),
      format: z.enum(RECORD_FORMATS).optional(),
      by: text.optional(),
      session: text.optional(),
      category: text.optional(),
      operation: text.optional(),
      tenant: z.string().max(512).optional(),
      correlation: text.optional(),
      trace: text.optional(),
      since: time.optional(),
      until: time.optional(),
    }),
    answer: listOf('records'),
    handle: async ({ store, input, who }) => {
      const { limit, after, event, format, since, until, operation, ...rest } = input;
      const cursor = after === undefined ? undefined : recordPlace(after);
      if (after !== undefined && cursor === undefined) {
        throw new Problem(400, 'invalid_input', 'after is not a cursor: pass "next" of a page.');
      }
      const events = event === undefined ? [] : [event];
      const problem = format && formatProblem(format, events);
      if (problem !== undefined) throw new Problem(400, 'invalid_input', `${problem}.`);
      const filter = new RecordFilter(store, {
        ...rest,
        handler: operation,
        format,
        tenant: tenantOf(rest.tenant, who),
        events,
        sinceMs: ms(since),
        untilMs: ms(until),
      });
      const { found, next } = await newestRecords(store, filter, limit, cursor);
      if (format === undefined) return { records: found.map(foundDocument), next: next ?? null };
      const renderer = new LogRenderer(store, { format, events });
      const rendered = await renderer.render(found.toReversed());
      const records = rendered.toReversed().map(({ document: shown }) => shown);
      return { records, next: next ?? null };
    },
  }),
  route({
    at: 'GET /v1/changes',
    summary:
      'changes as they are recorded, as server-sent events; Last-Event-ID continues ten seconds earlier',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    input: z.strictObject({}),
    answer: document({ event: z.string(), id: z.string(), revision: z.number() }),
    stream: 'text/event-stream',
    handle: ({ changes, who, connection }) => {
      const { lastEventId = '', closed } = connection;
      const after = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
      const owner = `${who.by}:${who.name}`;
      const listener = { tenant: who.tenant, owner, closed, cut: () => connection.cut() };
      return changes.open(listener, after);
    },
  }),
  route({
    at: 'GET /v1/audit/verify',
    summary:
      'verify the audit log: a line of progress each half second, the last one is the verdict',
    role: 'viewer',
    heavy: true,
    input: z.strictObject({}),
    answer: document({ ok: z.boolean() }),
    stream: 'application/x-ndjson',
    handle: async function* ({ store, connection, clock }) {
      const reader = await store.readAudit();
      try {
        const newest = await newestSeq(store);
        let progress = { pass: 1, records: 0, seq: 0 };
        const onProgress = (now: typeof progress) => {
          progress = now;
        };
        const done = verifyAudit(reader, { signal: connection.closed, onProgress });
        // It rejects also when nobody reads any more.
        done.catch(() => undefined);
        for (let found: Verification | undefined; found === undefined; ) {
          const { pass, records, seq } = progress;
          // More passes may follow, and nobody knows how many.
          const share = pass === 1 && newest > 0 ? seq / newest : null;
          yield `${JSON.stringify({ state: 'running', pass, records, share })}\n`;
          found = await within(done, HALF_SECOND_MS, clock);
          if (found) yield `${JSON.stringify({ state: 'done', ...verificationDocument(found) })}\n`;
        }
      } finally {
        await reader.close();
      }
    },
  }),
  route({
    at: 'GET /v1/audit/prove/:id',
    summary: 'a proof that a record is in the log, for people without the store',
    role: 'viewer',
    heavy: true,
    reads: 'sessions',
    exports: true,
    input: z.strictObject({ id }),
    answer: document({}),
    handle: async ({ store, input }) => {
      const place = await findRecord(store, input.id);
      if (place === undefined) throw notFound(`record ${input.id} in the audit log`);
      const reader = await store.readAudit();
      try {
        const { proof, ...refusal } = await proveRecord(reader, place, {});
        if (proof !== undefined) return proof;
        const { problem = 'no_record', message = '' } = refusal as {
          problem?: string;
          message?: string;
        };
        throw new Problem(409, problem, message);
      } finally {
        await reader.close();
      }
    },
  }),
];

const HALF_SECOND_MS = 500;
