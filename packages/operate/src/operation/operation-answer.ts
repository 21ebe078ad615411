import type { OperationStatus } from '@redrive/durable/control';
import { isoTime } from '@redrive/durable/store';
import type * as z from 'zod';
import type { OPERATION } from './operation-schema.ts';

/** The reason of a pause by Ctrl-C. The command that is run again ends such a pause, and no other one. */
export const INTERRUPTED = 'stopped with Ctrl-C';

export type OperationAnswer = z.output<typeof OPERATION>;

export function operationAnswer(status: OperationStatus): OperationAnswer {
  const { ramp, total, runner, timeLeftMs } = status;
  const [submitted] = status.changes;
  return {
    id: status.id,
    act: status.act,
    state: status.state,
    by: submitted?.by ?? '',
    why: submitted?.why ?? null,
    changes: status.changes
      .filter(({ to }) => to !== 'finished')
      .map(({ to, atMs, by, why }) => ({ to, at: isoTime(atMs), by, why: why ?? null })),
    started_at: isoTime(status.startedAtMs),
    updated_at: isoTime(status.updatedAtMs),
    done: status.acted,
    refused: status.refused,
    total: total?.count ?? null,
    total_bounded: total?.bounded ?? false,
    followed: status.followed,
    in_flight: status.inFlight,
    succeeded: status.succeeded,
    came_back: status.cameBack,
    rate: status.ratePerSecond ?? null,
    max_in_flight: status.maxInFlight ?? null,
    ramp:
      ramp === undefined
        ? null
        : {
            stages: [...ramp.stages],
            stop_share: ramp.stopShare,
            stage: ramp.stage + 1,
            sent: ramp.sent,
            succeeded: ramp.succeeded,
            came_back: ramp.cameBack,
          },
    in_background: status.inBackground,
    runner: runner ?? null,
    has_worker: status.hasWorker ?? null,
    time_left: timeLeftMs === undefined ? null : Math.ceil(timeLeftMs / 1_000),
  };
}

/** With its request. */
export function operationDetails(status: OperationStatus) {
  return { ...operationAnswer(status), request: { ...status.request } };
}
