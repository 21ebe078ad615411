import * as z from 'zod';
import { action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';

const ANSWER = z.object({
  store: z
    .string()
    .nullable()
    .describe('the store, without credentials; null: it could not be opened'),
  ok: z.boolean().describe('there is no problem; there may be warnings'),
  jobs_read: z.number().describe('rows of jobs that were read'),
  put_back: z.array(z.string()).describe('ids of jobs that were put back'),
  checks: z
    .array(
      z.object({
        name: z
          .string()
          .describe(
            'lints, store, schema, durability, disk, clock, rows, future_due, unsealed, policies, workers, schedules, buses, sweeps or ports',
          ),
        result: z
          .enum(['ok', 'warning', 'problem', 'skipped'])
          .describe('skipped: the store or the configuration that it needs is missing'),
      }),
    )
    .describe('all checks'),
  findings: z
    .array(
      z.object({
        check: z.string().describe('the name of the check; of rows: unreadable_row or set_aside'),
        level: z.enum(['problem', 'warning']).describe('a problem makes the exit code 1'),
        message: z.string().describe('what is wrong'),
        remedy: z.string().describe('what to do: mostly a command'),
        jobs: z.array(z.string()).describe('ids of the jobs concerned'),
      }),
    )
    .describe('problems and warnings'),
});
export type DoctorAnswer = z.output<typeof ANSWER>;

export const DOCTOR = {
  check: action({
    at: 'GET /v1/doctor',
    summary: 'check store, schema, disk, clocks, workers, schedules, brokers and databases',
    details: 'As "redrive doctor" on the machine of the server, without the reading of all rows.',
    role: 'viewer',
    reads: 'metrics',
    heavy: true,
    polled: true,
    input: z.strictObject({}),
    answer: ANSWER,
    run: async ({ doctor }) => {
      if (doctor !== undefined) return doctor();
      throw new Refusal('not_found', 'This server has no doctor.', 'Run "redrive doctor".');
    },
  }),
};
