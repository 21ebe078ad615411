import { isRunning } from '@redrive/core';
import {
  type ActCommand,
  actDetail,
  actorDetail,
  type ClaimCommand,
  type Command,
  claimDetail,
  type EnqueueCommand,
  enqueueDetail,
  type Moment,
  newLife,
  type Payload,
  type SettleCommand,
} from '@redrive/durable/store';
import { encodeAttempts } from '../job/attempts-code.ts';
import { encodeLife } from '../job/life-code.ts';
import { encodeSpec } from '../job/spec-code.ts';
import { STATES } from '../job/states.ts';
import type {
  Encoded,
  EncodedAct,
  EncodedClaim,
  EncodedEnqueue,
  EncodedSettle,
} from './encoded.ts';

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
        command.only?.map(({ id, revision }) => [id, revision]),
      ];
    case 'note':
      return ['note', command.event, command.subject, command.detail];
  }
}

export function encodeAct(command: ActCommand): EncodedAct {
  const { act, id, deadline, generation, payload, actor } = command;
  return [
    'act',
    act,
    id,
    atMs(deadline),
    inMs(deadline),
    actDetail(command),
    generation,
    payload && payloadOf(payload),
    actor.name,
  ];
}

export function encodeEnqueue(command: EnqueueCommand): EncodedEnqueue {
  const { job, due, deadline, onConflict, account } = command;
  return [
    'enqueue',
    job.id,
    job.queue,
    job.handler,
    job.tenant,
    job.priority,
    job.uniqueKey ?? null,
    job.limitKey === undefined ? null : JSON.stringify([job.handler, job.limitKey]),
    encodeSpec(job),
    payloadOf(job.payload),
    atMs(due),
    inMs(due),
    atMs(deadline),
    inMs(deadline),
    onConflict,
    firstLife(command),
    account.generation,
    account.executions,
    enqueueDetail(command),
  ];
}

/** NULL for a job of its own; a session that was handed over brings what it has been through. */
function firstLife(command: EnqueueCommand): string | null {
  const { account, errorClass } = command;
  const isOpen = account.claims === 0 && account.generation === 1 && account.executions === 0;
  if (isOpen && errorClass === undefined) return null;
  const { retryCount } = newLife(command, 0);
  return encodeLife({ account, retryCount, errorClass });
}

function encodeSettle({ settlement }: SettleCommand): EncodedSettle {
  const { account, retryCount, errorClass, reason, resultOmittedBytes } = settlement;
  const succeeded = settlement.to === 'succeeded';
  const group = settlement.to === 'dead' ? settlement.group : undefined;
  return [
    'settle',
    settlement.id,
    settlement.token,
    settlement.by === 'expired',
    STATES.indexOf(settlement.to),
    Math.ceil(settlement.dueInMs ?? 0),
    settlement.cause ?? null,
    isRunning(account),
    encodeLife({
      account,
      retryCount,
      errorClass,
      reason,
      resultOmittedBytes: succeeded ? resultOmittedBytes : undefined,
      fingerprint: group?.fingerprint,
    }),
    encodeAttempts(settlement.attempts),
    succeeded ? (settlement.result ?? null) : null,
    account.generation,
    account.executions,
    settlement.detail,
    group,
  ];
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

/** Bytes of their own: the caller may write to his, and a view would take its whole buffer along. */
function payloadOf(payload: Payload): string | Uint8Array {
  return payload.kind === 'json' ? payload.text : Uint8Array.from(payload.bytes);
}

/** Times are whole milliseconds in the file, rounded up: nothing shall be early. */
function atMs(moment: Moment | undefined): number | null {
  return moment !== undefined && 'atMs' in moment ? Math.ceil(moment.atMs) : null;
}

function inMs(moment: Moment | undefined): number | null {
  return moment !== undefined && 'inMs' in moment ? Math.ceil(moment.inMs) : null;
}
