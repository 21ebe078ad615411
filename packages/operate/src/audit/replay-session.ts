import { replaySession } from '@redrive/durable/audit';
import * as z from 'zod';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import { nameText } from '../action/scalars.ts';
import { replayAnswer } from './replay-answer.ts';
import { REPLAY, type ReplayAnswer } from './replay-schema.ts';

/** Everything but its address: it has two. Not for a tenant, because it reads the whole log. */
export const REPLAY_SESSION = {
  role: 'viewer',
  reads: 'sessions',
  summary: 'derive every decision of a session again and compare it with the record',
  heavy: true,
  refusals: { no_match: 'the audit log knows no such session' },
  input: z.strictObject({ id: nameText().describe('id of a job or of a session') }),
  answer: REPLAY,
  verdict: ({ same }: ReplayAnswer) => (same ? 'ok' : 'failed'),
  run: replay,
} as const;

/** A job that continues a call's session has another id than that. @throws Refusal `not_found` */
async function replay({ store, signal }: Context, { id }: { readonly id: string }) {
  const session = (await store.job(id))?.sessionId ?? id;
  const reader = await store.readAudit();
  try {
    const replayed = await replaySession(reader, session, { signal });
    // A look leaves a record of its own: it does not show that the session exists.
    if (replayed.steps.every(({ record }) => record.event === 'read')) {
      const hint =
        'Give it the id of a job or a session: "redrive audit list" shows those of the newest.';
      throw new Refusal('not_found', `The audit log knows no session ${id}.`, hint);
    }
    return replayAnswer(replayed);
  } finally {
    await reader.close();
  }
}
