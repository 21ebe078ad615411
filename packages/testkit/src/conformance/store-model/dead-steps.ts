import fc from 'fast-check';
import { LEASE_MS } from '../store/commands.ts';
import { handlers, none, queues, Step, tenants } from './step.ts';

/** Looks at dead letters through every kind of filter. */
export const looks = fc
  .record({
    filter: fc.record(
      {
        handler: handlers,
        queue: queues,
        tenant: tenants,
        tag: fc.constantFrom('x', 'y'),
        text: fc.constantFrom('LUCK', 'user <n>', 'deadline', 'nothing'),
        reason: fc.constantFrom('final_error', 'max_attempts_exceeded', 'ttl_exceeded'),
        errorClass: fc.constantFrom('final', 'retryable'),
      },
      { requiredKeys: [] },
    ),
    page: fc.record({
      limit: fc.constantFrom(1, 2, 100),
      first: fc.constantFrom('newest', 'oldest'),
    }),
    sinceMs: fc.constantFrom(...none(3), 0, 500, LEASE_MS),
  })
  .map(
    ({ filter, page, sinceMs }) =>
      new Step(`look at dead letters ${JSON.stringify({ ...filter, ...page, sinceMs })}`, (pair) =>
        pair.compareDead(
          { ...filter, ...(sinceMs !== undefined && { diedAfterMs: pair.nowMs - sinceMs }) },
          page,
        ),
      ),
  );
