import type { FullStore, Job } from '@redrive/durable';
import {
  isLetter,
  letterDocument,
  type Payload,
  payloadText,
  readLetter,
} from '@redrive/durable/store';
import * as z from 'zod';
import type { Who } from '../access/who.ts';
import { document, id } from '../inputs.ts';
import { notFound } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';
import { ownJob, valuesFor } from './jobs.ts';

const values = z.enum(['none', 'redacted', 'full']).default('redacted');

export const DEAD_LETTER_ROUTES: readonly AnyRoute[] = [
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
