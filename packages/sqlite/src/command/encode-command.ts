import {
  actDetail,
  actorDetail,
  type ClaimCommand,
  type Command,
  claimDetail,
} from '@redrive/durable/store';
import { encodeEnqueue } from './encode-enqueue.ts';
import { encodeSettle } from './encode-settle.ts';
import type { Encoded, EncodedClaim } from './encoded.ts';
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
    case 'act': {
      const { act, id, deadline } = command;
      return ['act', act, id, atMsOf(deadline), inMsOf(deadline), actDetail(command)];
    }
    case 'tick':
      return ['tick', command.limit, actorDetail(command.actor)];
    case 'pause':
    case 'resume': {
      const { kind, scope, name, actor } = command;
      return [kind, scope, name, actor.name, actor.why ?? null, actorDetail(actor)];
    }
    case 'prune':
      return [
        'prune',
        command.succeededAfterMs,
        command.cancelledAfterMs,
        command.deadAfterMs,
        command.purgedAfterMs,
        command.limit,
        actorDetail(command.actor),
      ];
    case 'note':
      return ['note', command.event, command.subject, command.detail];
  }
}

function encodeClaim(command: ClaimCommand): EncodedClaim {
  const { worker, leaseMs, limit, ahead, afterTenant, queues, lanes } = command;
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
  ];
}
