import { claimAttempt, openAccount } from '@redrive/core/stored';
import { NO_ATTEMPTS } from '../job/attempt-log.ts';
import type { LeasedJob } from '../job/job.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { ClaimCommand, Command, Result } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';

/** A store with this number of jobs that keeps nothing of them: memory that grows meanwhile is the worker's. */
export function endlessStore(jobs: number, onSettled: (settled: number) => void): FullStore {
  let claimed = 0;
  let settled = 0;
  const account = claimAttempt(openAccount());

  function claim({ limit, ahead, worker, lanes }: ClaimCommand): Result {
    const count = Math.min(jobs - claimed, limit + ahead);
    const taken = Array.from({ length: count }, (): LeasedJob => {
      claimed += 1;
      const id = `job ${claimed}`;
      return {
        ...{ id, sessionId: id, idempotencyKey: id, handler: 'run', queue: 'default', tenant: '' },
        ...{ priority: 0, tags: [], headers: {}, payload: { kind: 'json', text: '{"n":1}' } },
        ...{ submittedAtMs: 0, generationAtMs: 0, state: 'leased', revision: 2, token: 1, account },
        ...{ cancelRequested: false, retryCount: 0, attempts: NO_ATTEMPTS, auditBlock: 1 },
        lease: {
          worker,
          sinceMs: 0,
          untilMs: 30_000,
          policyHash: lanes[0]?.policyHash ?? '',
          alone: false,
        },
      };
    });
    return { ok: true, jobs: taken, more: claimed < jobs, nowMs: 0 };
  }

  return {
    ...memoryStore(),
    apply: (async (commands: readonly Command[]) => {
      const results = commands.map((command): Result => {
        if (command.kind === 'claim') return claim(command);
        settled += 1;
        return { ok: true };
      });
      onSettled(settled);
      return results;
    }) as unknown as FullStore['apply'], // Its results are those of the commands that a worker sends.
  };
}
