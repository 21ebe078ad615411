import {
  type FullStore,
  type Job,
  type JobSummary,
  jobDocument,
  jobSummaryDocument,
} from '@redrive/durable';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import {
  iso,
  MAX_DEAD_COUNT,
  type Payload,
  payloadText,
  type ShownValues,
} from '@redrive/durable/store';
import * as z from 'zod';
import { JOB_SUMMARY } from '../job/job-summary.ts';
import type { SHOWN_LETTER } from './letter-schema.ts';

/** A line of a list of dead letters. */
export const LETTER_SUMMARY = JOB_SUMMARY.extend({
  fingerprint: z.string().nullable().describe('fingerprint of its cause, for --group'),
  came_back: z.boolean().describe('true: it was requeued, and died again'),
});
export type LetterSummary = z.output<typeof LETTER_SUMMARY>;

export function letterSummary(job: JobSummary): LetterSummary {
  const { fingerprint = null } = job;
  return { ...jobSummaryDocument(job), fingerprint, came_back: diedAgain(job) };
}

/** A number of dead letters. */
export const COUNT = {
  count: z.number().describe('dead letters, up to the counting limit'),
  bounded: z.boolean().describe('true: there are more, or may be'),
};

/** Whether a job is a dead letter. A purged one can still be looked at. */
export function isLetter({ state, purgedFrom }: Pick<Job, 'state' | 'purgedFrom'>): boolean {
  return state === 'dead' || (state === 'purged' && purgedFrom === 'dead');
}

/** Whether it was requeued and died again. A reset alone begins a generation in which nothing has run. */
export function diedAgain({ account }: Pick<JobSummary, 'account'>): boolean {
  return account.generation > 1 && account.claims > 0;
}

/** The first 64 KiB of a long text. */
const MAX_TEXT = 65_536;

/** The envelope of a dead letter, with its facts. With `tenant`, only its letters are counted as the same cause. */
export async function letterAnswer(
  store: Pick<FullStore, 'earlierPayloads' | 'countDead'>,
  job: Job,
  shown: ShownValues,
  tenant: string | undefined,
): Promise<z.output<typeof SHOWN_LETTER>> {
  const { id, fingerprint, state } = job;
  const [earlier, sameCause] = await Promise.all([
    store.earlierPayloads(id),
    fingerprint === undefined
      ? { count: 1, bounded: false }
      : store.countDead({ fingerprint, tenant }, MAX_DEAD_COUNT),
  ]);
  const textOf = (payload: Payload) => {
    if (shown === 'none') return null;
    const text = payloadText(payload, shown);
    return { text: text.slice(0, MAX_TEXT), characters: text.length };
  };
  const {
    headers: _,
    payload: __,
    result: ___,
    result_omitted_bytes: ____,
    ...facts
  } = jobDocument(job, { values: shown });
  return {
    ...deadLetterOf(job, { payload: shown }),
    state: state === 'purged' ? state : ('dead' as const),
    came_back: diedAgain(job),
    same_cause: { count: sameCause.count, bounded: sameCause.bounded },
    payload_text: textOf(job.payload),
    earlier_payloads: earlier.map((each) => ({
      ...{ generation: each.generation, replaced_at: iso(each.replacedAtMs), by: each.by },
      payload: deadLetterOf({ ...job, payload: each.payload }, { payload: shown }).original_event,
      payload_text: textOf(each.payload),
    })),
    job: facts,
  };
}
