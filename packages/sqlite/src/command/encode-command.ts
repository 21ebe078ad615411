import {
  type ActCommand,
  actDetail,
  actorDetail,
  type ClaimCommand,
  type Command,
  type ControlCommand,
  checkControl,
  checkLimit,
  claimDetail,
  type ReleaseCommand,
} from '@redrive/durable/store';
import { encodeEnqueue, payloadOf } from './encode-enqueue.ts';
import { encodeSettle } from './encode-settle.ts';
import type {
  Encoded,
  EncodedAct,
  EncodedClaim,
  EncodedControl,
  EncodedRelease,
} from './encoded.ts';
import { atMsOf, inMsOf } from './moments.ts';

/** A command as it goes to the writer. What the caller changes afterwards is not in it. */
export function encodeCommand(command: Command): Encoded {
  switch (command.kind) {
    case 'enqueue':
      return encodeEnqueue(command);
    case 'settle':
      return encodeSettle(command);
    case 'claim':
      return encodeClaim(command);
    case 'act':
      return encodeAct(command);
    case 'tick':
      return ['tick', command.limit, actorDetail(command.actor)];
    case 'prune':
      return [
        'prune',
        command.succeededAfterMs,
        command.cancelledAfterMs,
        command.deadAfterMs,
        command.purgedAfterMs,
        command.limit,
        actorDetail(command.actor),
        command.only?.map(({ id, revision }) => [id, revision]),
      ];
    case 'note':
      return ['note', command.event, command.subject, command.detail, command.once];
    case 'control':
      return encodeControl(command);
    case 'release':
      return encodeRelease(command);
  }
}

export function encodeAct(command: ActCommand): EncodedAct {
  const { act, id, deadline, generation, payload, actor } = command;
  return [
    'act',
    act,
    id,
    atMsOf(deadline),
    inMsOf(deadline),
    actDetail(command),
    generation,
    payload && payloadOf(payload),
    actor.name,
  ];
}

function encodeClaim(command: ClaimCommand): EncodedClaim {
  const { worker, leaseMs, limit, ahead, afterTenant, queues, lanes } = command;
  const { maxLosses = Infinity, only = null, alone = false } = command;
  return [
    'claim',
    worker,
    Math.ceil(leaseMs),
    limit,
    ahead,
    afterTenant ?? null,
    queues ?? null,
    lanes.map((lane) => [
      lane.handler,
      lane.limit,
      lane.policyHash,
      lane.maxAttempts,
      lane.limitPerKey,
      claimDetail(command, lane),
    ]),
    maxLosses,
    only,
    alone,
  ];
}

function encodeControl(command: ControlCommand): EncodedControl {
  checkControl(command);
  const { of, key, expect, document = null, note = null } = command;
  return ['control', of, key, expect, document, note];
}

function encodeRelease({ cause, limit, inTurn, actor }: ReleaseCommand): EncodedRelease {
  checkLimit('limit', limit);
  return ['release', cause, limit, inTurn === true, actorDetail(actor)];
}
