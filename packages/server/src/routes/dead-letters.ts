import { newId } from '@redrive/core';
import type { FullStore, Job } from '@redrive/durable';
import { planActs, runOperation } from '@redrive/durable/control';
import { exportDeadLetters, readCauses } from '@redrive/durable/dead-letters';
import {
  causeGroups,
  causesDocument,
  groupDocument,
  isLetter,
  letterDocument,
  letterSummary,
  MAX_DEAD_COUNT,
  type Payload,
  payloadText,
  readLetter,
  readLetters,
  readStats,
  statsDocument,
  withHandlers,
} from '@redrive/durable/store';
import { operationAnswer } from '@redrive/operate';
import * as z from 'zod';
import type { Who } from '../access/who.ts';
import { deadFilter, deadFilterOf, document, id, listOf, page } from '../inputs.ts';
import { notFound, Problem } from '../problem.ts';
import { remembered } from '../remembered.ts';
import { type AnyRoute, route } from '../route.ts';
import { ownJob, valuesFor } from './jobs.ts';

const values = z.enum(['none', 'redacted', 'full']).default('redacted');

export const DEAD_LETTER_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/dead-letters',
    summary: 'list dead letters, the newest death first',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    input: deadFilter.extend(page.shape),
    answer: listOf('letters', { id: z.string(), handler: z.string() }),
    handle: async ({ store, input, who, clock }) => {
      const { limit, after, ...given } = input;
      const filter = deadFilterOf(given, who);
      const [found, total] = await Promise.all([
        store.deadLetters(filter, { limit, after }),
        // The same on every page of the list.
        remembered(store, `total ${JSON.stringify(filter)}`, clock.now(), () =>
          store.countDead(filter, MAX_DEAD_COUNT),
        ),
      ]);
      return { letters: found.jobs.map(letterSummary), total, next: found.next ?? null };
    },
  }),
  route({
    at: 'GET /v1/dead-letters/groups',
    summary: 'dead letters by cause, the newest death first',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    polled: true,
    input: deadFilter.extend({
      ...page.shape,
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    answer: listOf('groups', { fingerprint: z.string(), count: z.number() }),
    handle: async ({ store, input, who, clock }) => {
      const { limit, after, ...given } = input;
      const filter = deadFilterOf(given, who);
      const found = await store.deadGroups(filter, { limit, after });
      const groups = await withHandlers(store, filter, found.groups, clock.now());
      return { groups: groups.map(groupDocument), next: found.next ?? null };
    },
  }),
  route({
    at: 'GET /v1/dead-letters/stats',
    summary: 'numbers of dead letters: by reason, handler, hour and day',
    role: 'viewer',
    reads: 'metrics',
    tenants: true,
    polled: true,
    input: deadFilter,
    answer: document({ total: z.looseObject({ count: z.number(), bounded: z.boolean() }) }),
    handle: async ({ store, input, who, clock }) =>
      statsDocument(await readStats(store, deadFilterOf(input, who), clock.now())),
  }),
  route({
    at: 'GET /v1/dead-letters/causes',
    summary: 'what sets dead letters of each cause apart from jobs that succeeded',
    role: 'viewer',
    heavy: true,
    reads: 'sessions',
    // The jobs that succeeded are those of all tenants.
    input: deadFilter.extend({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
    answer: document({ groups: z.array(z.looseObject({ fingerprint: z.string() })) }),
    handle: async ({ store, input, who, givenUp }) => {
      const { limit, ...given } = input;
      const samples = await readCauses(store, deadFilterOf(given, who), { signal: givenUp });
      return causesDocument(samples, causeGroups(samples).slice(0, limit));
    },
  }),
  route({
    at: 'GET /v1/dead-letters/export',
    summary: 'dead letters as JSON lines, the newest death first',
    role: 'viewer',
    heavy: true,
    reads: 'payloads',
    exports: true,
    tenants: true,
    input: deadFilter.extend({
      payload: values,
      limit: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
    }),
    answer: document({ id: z.string() }),
    stream: 'application/x-ndjson',
    handle: ({ store, input, who }) => {
      const { limit, payload, ...given } = input;
      const shown = valuesFor(who, payload);
      const letters = readLetters(store, deadFilterOf(given, who), limit, shown, () => undefined);
      return exportDeadLetters(letters, 'jsonl');
    },
  }),
  route({
    at: 'GET /v1/dead-letters/:id',
    summary: 'show one dead letter: why, attempts, payload, what edits replaced',
    role: 'viewer',
    reads: 'payloads',
    tenants: true,
    input: z.strictObject({ id, payload: values }),
    answer: document({ state: z.string(), came_back: z.boolean() }),
    handle: async ({ store, input, who }) => {
      const shown = valuesFor(who, input.payload);
      const letter = await readLetter(store, await ownLetter(store, input.id, who), who.tenant);
      const { earlier_payloads, ...rest } = letterDocument(letter, shown);
      const textOf = (payload: Payload) =>
        shown === 'none' ? null : cut(payloadText(payload, shown));
      return {
        ...rest,
        payload_text: textOf(letter.job.payload),
        earlier_payloads: earlier_payloads.map((each, at) => ({
          ...each,
          payload_text: textOf(letter.earlier[at]?.payload ?? letter.job.payload),
        })),
      };
    },
  }),
  route({
    at: 'GET /v1/dead-letters/:id/payload',
    summary: 'the whole payload of a dead letter as text, with all digits of its numbers',
    role: 'viewer',
    reads: 'payloads',
    tenants: true,
    input: z.strictObject({ id, payload: z.enum(['redacted', 'full']).default('redacted') }),
    answer: document({ text: z.string() }),
    handle: async ({ store, input, who }) => {
      const shown = valuesFor(who, input.payload);
      const { payload } = await ownLetter(store, input.id, who);
      return { text: shown === 'none' ? '' : payloadText(payload, shown) };
    },
  }),
  route({
    at: 'POST /v1/dead-letters/:id/edit',
    summary: 'requeue a dead letter with another payload; the old one is kept',
    role: 'admin',
    tenants: true,
    reason: true,
    input: z.strictObject({
      ...{ id, generation: z.number().int().min(1), payload: z.unknown().optional() },
      // Instead of `payload`: JSON whose numbers keep all their digits.
      payload_text: z.string().refine(isJson, 'is not JSON').optional(),
    }),
    answer: document({ state: z.string() }),
    handle: async ({ store, input, who, actor, clock }) => {
      await ownLetter(store, input.id, who);
      const text = input.payload_text ?? JSON.stringify(input.payload ?? null);
      const wish = {
        act: 'requeue',
        // An edit of somebody else has made another generation of it.
        target: { ids: [{ id: input.id, generation: input.generation }] },
        payload: { kind: 'json', text },
        actor,
      } as const;
      const plan = await planActs(store, wish);
      if (plan.eligible === 0) {
        throw new Problem(409, 'changed', 'The letter was changed by somebody else.');
      }
      const request = { ...wish, ramp: false, id: newId('op', clock) } as const;
      const { status } = await runOperation(store, request, { clock });
      return operationAnswer(status);
    },
  }),
];

/** @throws Problem 404 */
async function ownLetter(store: FullStore, letterId: string, who: Who): Promise<Job> {
  const job = await ownJob(store, letterId, who);
  if (isLetter(job)) return job;
  throw notFound(`dead letter with the id ${letterId}: it is ${job.state}`);
}

/** The first 64 KiB of a long text. */
const MAX_TEXT = 65_536;

function cut(text: string) {
  return { text: text.slice(0, MAX_TEXT), characters: text.length };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
