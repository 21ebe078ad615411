import { type AttemptAccount, isRunning } from '@redrive/core/stored';
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
  newBatch,
  type ReleaseCommand,
  type SettleCommand,
  settledAttempts,
} from '@redrive/durable/store';
import { encodeLife } from '../job/life-code.ts';
import { STATES } from '../job/states.ts';
import { atMsOf, encodeEnqueue, inMsOf, payloadOf } from './encode-enqueue.ts';
import {
  type Encoded,
  type EncodedAct,
  type EncodedClaim,
  type EncodedControl,
  type EncodedRelease,
  type EncodedSettle,
  SETTLE_TEMPLATE,
  type SettleTemplate,
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
    case 'batch':
      newBatch(command, 0);
      return ['batch', command];
    case 'end_batches':
      checkLimit('limit', command.limit);
      return ['end_batches', command];
    case 'release':
      return encodeRelease(command);
  }
}

export function encodeAct(command: ActCommand): EncodedAct {
  const { act, id, deadline, generation, payload, actor, group } = command;
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
    group,
  ];
}

function encodeClaim(command: ClaimCommand): EncodedClaim {
  const { worker, leaseMs, limit, ahead, afterTenant, queues, lanes } = command;
  const { maxLosses = Infinity, only = null, alone = false, rates = [] } = command;
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
      lane.limitPerKey,
      claimDetail(command, lane),
    ]),
    maxLosses,
    only,
    alone,
    rates,
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

type Settlement = SettleCommand['settlement'];

function encodeSettle({ settlement }: SettleCommand): EncodedSettle {
  const succeeded = settlement.to === 'succeeded';
  return [
    'settle',
    isPlain(settlement) ? plainTemplate(settlement) : newTemplate(settlement),
    settlement.id,
    settlement.token,
    settledAttempts(settlement),
    succeeded ? (settlement.result ?? null) : null,
    settlement.own,
    settlement.follow?.map(encodeEnqueue),
  ];
}

/** The template of the last plain success: the next one mostly has the same. */
let lastPlain: { readonly template: SettleTemplate; readonly account: AttemptAccount } | undefined;

/** The same object for plain successes with the same account: all that succeed at the first attempt, to begin with. */
function plainTemplate(settlement: Settlement): SettleTemplate {
  const { account, detail } = settlement;
  if (
    lastPlain !== undefined &&
    lastPlain.template[SETTLE_TEMPLATE.detail] === detail &&
    isSame(lastPlain.account, account)
  ) {
    return lastPlain.template;
  }
  const template = newTemplate(settlement);
  lastPlain = { template, account };
  return template;
}

/** Whether nothing is said about a success but what `plainTemplate` compares. */
function isPlain(settlement: Settlement): boolean {
  return (
    settlement.to === 'succeeded' &&
    settlement.by === 'held' &&
    settlement.reason === 'succeeded' &&
    settlement.retryCount === 0 &&
    settlement.errorClass === undefined &&
    settlement.resultOmittedBytes === undefined &&
    settlement.dueInMs === undefined &&
    settlement.cause === undefined
  );
}

function isSame(a: AttemptAccount, b: AttemptAccount): boolean {
  return (
    a.generation === b.generation &&
    a.claims === b.claims &&
    a.executions === b.executions &&
    a.freeWaits === b.freeWaits &&
    a.freeWaitMs === b.freeWaitMs &&
    a.lastDelayMs === b.lastDelayMs &&
    a.entries.succeeded === b.entries.succeeded &&
    a.entries.failed === b.entries.failed &&
    a.entries.rate_limited === b.entries.rate_limited &&
    a.entries.interrupted === b.entries.interrupted &&
    a.entries.blocked === b.entries.blocked &&
    a.entries.cancelled === b.entries.cancelled &&
    a.entries.lease_lost === b.entries.lease_lost &&
    a.entries.process_lost === b.entries.process_lost &&
    a.unchargedSinceMs === b.unchargedSinceMs &&
    a.clearedLosses === b.clearedLosses
  );
}

function newTemplate(settlement: Settlement): SettleTemplate {
  const { account, retryCount, errorClass, reason, resultOmittedBytes } = settlement;
  const group = settlement.to === 'dead' ? settlement.group : undefined;
  return [
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
      resultOmittedBytes: settlement.to === 'succeeded' ? resultOmittedBytes : undefined,
      fingerprint: group?.fingerprint,
    }),
    account.generation,
    account.executions,
    settlement.detail,
    group,
  ];
}
