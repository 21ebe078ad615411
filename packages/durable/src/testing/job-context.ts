import type { JobContext } from '../handler/job-context.ts';

/** A context as a worker gives it, with the fields of the test. */
export function jobContext(some: Partial<JobContext> = {}): JobContext {
  return {
    jobId: 'job_1',
    sessionId: 'job_1',
    handler: 'test',
    queue: 'default',
    tenant: '',
    tags: [],
    headers: {},
    correlationId: 'job_1',
    attempt: 1,
    generation: 1,
    maxAttempts: 3,
    token: 1,
    idempotencyKey: 'job_1',
    signal: new AbortController().signal,
    timeLeftMs: Infinity,
    once: async (_key: string, run: (token: number) => unknown) => run(1),
    parent: {},
    ...some,
  } as JobContext; // Commands do not look at `parent`.
}
