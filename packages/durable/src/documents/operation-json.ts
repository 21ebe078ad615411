import type { OperationStatus } from '../operation/operation-status.ts';
import { isoTime } from './times.ts';

/** An operation as JSON prints it. */
export function operationJson(status: OperationStatus) {
  const { ramp, total, runner, timeLeftMs } = status;
  return {
    id: status.id,
    act: status.act,
    state: status.state,
    by: status.by,
    why: status.why ?? null,
    started_at: isoTime(status.startedAtMs),
    updated_at: isoTime(status.updatedAtMs),
    done: status.acted,
    refused: status.refused,
    total: total?.count ?? null,
    total_bounded: total?.bounded ?? false,
    in_flight: status.inFlight,
    succeeded: status.succeeded,
    came_back: status.cameBack,
    rate: status.ratePerSecond ?? null,
    max_in_flight: status.maxInFlight ?? null,
    ramp:
      ramp === undefined
        ? null
        : {
            stages: ramp.stages,
            stop_share: ramp.stopShare,
            stage: ramp.stage + 1,
            sent: ramp.sent,
            succeeded: ramp.succeeded,
            came_back: ramp.cameBack,
          },
    in_background: status.inBackground,
    runner: runner ?? null,
    time_left: timeLeftMs === undefined ? null : Math.ceil(timeLeftMs / 1_000),
  };
}
