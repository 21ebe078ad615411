import { newId } from '@redrive/core';
import type { FullStore, Job } from '@redrive/durable';
import { planActs, runOperation } from '@redrive/durable/control';
import { exportDeadLetters } from '@redrive/durable/dead-letters';
import {
  isLetter,
  letterDocument,
  type Payload,
  payloadText,
  readLetter,
  readLetters,
} from '@redrive/durable/store';
import { operationAnswer } from '@redrive/operate';
import * as z from 'zod';
import type { Who } from '../access/who.ts';
import { deadFilter, deadFilterOf, document, id } from '../inputs.ts';
import { notFound, Problem } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';
import { ownJob, valuesFor } from './jobs.ts';

const values = z.enum(['none', 'redacted', 'full']).default('redacted');

export const DEAD_LETTER_ROUTES: readonly AnyRoute[] = [
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
