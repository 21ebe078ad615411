import * as z from 'zod';

/** The records of a job. */
export const HISTORY = z.object({
  entries: z
    .array(
      z.object({
        revision: z.number().describe('of the job, from 1'),
        event: z.string().describe('such as enqueue, claim or settle'),
        from: z.string().nullable().describe('the state before'),
        to: z.string().nullable().describe('the state after'),
        atMs: z.number().describe('milliseconds since 1970'),
        token: z.number().describe('of the newest lease'),
        generation: z.number().describe('its generation'),
        executions: z.number().describe('attempts of all generations and rungs until then'),
        block: z.number().describe('number of the block of the audit log'),
        detail: z.record(z.string(), z.unknown()).describe('the facts of this event'),
      }),
    )
    .describe('the oldest first'),
  complete: z.boolean().describe('false: the oldest records were not read'),
});
