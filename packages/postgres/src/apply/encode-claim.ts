import { type ClaimCommand, claimDetail } from '@redrive/durable/store';
import { plainArray, textArray } from './array-literal.ts';
import type { Values } from './encode-settlements.ts';

/** The parameters of `claim`, in their order. */
export function encodeClaim(command: ClaimCommand): Values {
  const { worker, leaseMs, limit, ahead, queues, afterTenant, lanes } = command;
  const { maxLosses = Infinity, only, alone = false } = command;
  return [
    worker,
    Math.ceil(leaseMs),
    limit,
    ahead,
    // An empty list means no queue; null means all queues.
    queues === undefined ? null : (textArray(queues) ?? '{}'),
    afterTenant ?? null,
    maxLosses === Infinity ? null : maxLosses,
    only === undefined ? null : (textArray(only) ?? '{}'),
    alone ? 'true' : null,
    textArray(lanes.map(({ handler }) => handler)),
    plainArray(lanes.map((lane) => lane.limit)),
    textArray(lanes.map(({ policyHash }) => policyHash)),
    plainArray(lanes.map((lane) => Math.min(lane.maxAttempts, MAX_INTEGER))),
    plainArray(lanes.map((lane) => Math.min(lane.limitPerKey, MAX_INTEGER))),
    textArray(lanes.map((lane) => claimDetail(command, lane))),
  ];
}

const MAX_INTEGER = 2 ** 31 - 1;
