import { saltedSessions } from '@redrive/durable/store';
import { headLine, recordedLine } from '@redrive/lab';
import * as z from 'zod';
import { document, ms, time } from '../inputs.ts';
import { policyReview, recorded, WEEK_MS } from '../policy-review.ts';
import { Problem } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';

/** Sent at once. */
const BATCH = 64 * 1_024;

/** Attempts of the audit log, for the lab. They are those of all tenants. */
export const LAB_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/policies/review',
    summary:
      'review policies by the attempts of the last 7 days: at most an hour old; with renew, made now',
    role: 'viewer',
    reads: 'sessions',
    input: z.strictObject({ renew: z.stringbool().default(false) }),
    answer: document({
      reviewed_at: z.string().nullable(),
      policies: z.array(z.looseObject({ policy: z.string(), configured: z.boolean() })),
      findings: z.array(
        z.looseObject({ code: z.string(), policy: z.string(), configured: z.boolean() }),
      ),
      undecided: z.array(
        z.looseObject({ code: z.string(), policy: z.string(), configured: z.boolean() }),
      ),
      under_way: z.number().nullable(),
    }),
    handle: (ask) => policyReview(ask, ask.input.renew),
  }),
  route({
    at: 'GET /v1/recording',
    summary: 'the attempts of a time window as a recording (recording/v1); since: 7 days ago',
    role: 'viewer',
    heavy: true,
    reads: 'sessions',
    exports: true,
    input: z.strictObject({
      since: time.optional(),
      until: time.optional(),
      dependency: z.string().min(1).max(512).optional(),
    }),
    answer: z.string(),
    stream: 'application/x-ndjson',
    handle: (ask) => {
      const { since, until, dependency } = ask.input;
      const untilMs = ms(until) ?? ask.clock.now();
      const sinceMs = ms(since) ?? untilMs - WEEK_MS;
      if (sinceMs >= untilMs) {
        throw new Problem(400, 'invalid_input', 'since must be before until.');
      }
      return recordingText(ask, { sinceMs, untilMs }, dependency);
    },
  }),
];

async function* recordingText(
  ask: Parameters<typeof recorded>[0] & { readonly givenUp: AbortSignal },
  window: Parameters<typeof recorded>[1],
  dependency: string | undefined,
): AsyncGenerator<string> {
  const hashed = saltedSessions();
  let text = headLine(window.sinceMs, window.untilMs);
  for await (const one of recorded(ask, window, { signal: ask.givenUp })) {
    if (dependency !== undefined && one.dependency !== dependency) continue;
    text += recordedLine({ ...one, session: hashed(one.session) });
    if (text.length < BATCH) continue;
    yield text;
    text = '';
  }
  yield text;
}
