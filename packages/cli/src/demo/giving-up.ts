import {
  type AttemptEnded,
  type Decision,
  decide,
  definePolicy,
  isRetryError,
  type Policy,
  type RetryError,
  retry,
} from '@redrive/core';
import { narrator } from './narrator.ts';
import { print, type Stage, waitMs } from './stage.ts';

/** The data that remains of a session: its policy and the records of its attempts. */
export interface Evidence {
  readonly policy: Policy;
  readonly records: readonly AttemptEnded[];
}

/** A call that gives up, and the error that has everything about it. */
export async function givingUp(stage: Stage): Promise<Evidence> {
  const policy: Policy = {
    id: 'charge-card',
    maxAttempts: 5,
    baseDelayMs: 150,
    attemptTimeoutMs: 200,
    ttlMs: 5_000,
  };
  print(
    stage,
    '   Three different failures. The last one asks for 30 s, but there are only 5 s',
    '   for it all: that is not slept through, it ends at once.',
    '',
  );
  const { events, records } = narrator(stage, nameShortly);
  const attempts = [reset, () => hang(stage), overloaded];
  try {
    await retry(({ attempt }) => attempts[attempt - 1]?.(), policy, {
      events,
      clock: stage.clock,
      operation: 'charge card',
      sessionId: 'tour',
    });
  } catch (error) {
    if (!isRetryError(error)) throw error;
    printStory(stage, error);
  }
  return { policy, records };
}

function reset(): never {
  throw new Error('connection reset');
}

/** Longer than the attempt may take. */
async function hang(stage: Stage): Promise<void> {
  await waitMs(stage, 400);
}

function overloaded(): never {
  throw Object.assign(new Error('503 overloaded'), {
    status: 503,
    headers: { 'retry-after': '30' },
  });
}

function printStory(stage: Stage, error: RetryError): void {
  // Too long for one line.
  const [did = '', why = ''] = error.message.split(/ (?=\()/);
  const inMs = (error.retryAt?.getTime() ?? 0) - stage.clock.now();
  const facts: readonly [string, string][] = [
    ['message', did],
    ['', why],
    ['reason', error.reason],
    ...error.attempts.map(({ attempt, error: failure, delayMs }): [string, string] => [
      attempt === 1 ? 'attempts' : '',
      `${attempt}  ${nameOf(failure).padEnd(36)}${delayMs > 0 ? ` then waited ${delayMs} ms` : ''}`,
    ]),
    ['retryAt', `in ${Math.round(inMs / 1_000)} s: when another try would make sense`],
    ['cause', 'the last error, exactly as it was thrown'],
  ];
  print(stage, '', stage.paint('bold', '   RetryError'));
  for (const [name, value] of facts) {
    print(stage, `   ${stage.paint('cyan', name.padEnd(8))} ${value}`);
  }
}

function nameOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** The message of a timeout is a sentence, and a line has room for three words. */
function nameShortly({ error }: AttemptEnded): string {
  return (error?.message ?? '').replace('The attempt took longer than', 'took over');
}

/** The second decision of the session before, derived again from its record, and asked what another policy had done. */
export function replay(stage: Stage, { policy, records }: Evidence): void {
  const record = records[1];
  if (record === undefined) return;
  const { input, decision } = record;
  print(
    stage,
    `   Why did it wait ${decision.delayMs} ms after attempt 2? The record has all that decide() was`,
    '   given. It is a pure function: no clock, no chance, no I/O of its own.',
    '',
    `   ${stage.paint('dim', describeInput(record))}`,
    '',
  );
  const again = decide({ ...input, policy: definePolicy(policy) });
  const isSame = JSON.stringify(again) === JSON.stringify(decision);
  printAnswer(stage, 'recorded', decision);
  printAnswer(
    stage,
    'derived again',
    again,
    isSame ? stage.paint('green', '✓ the same') : stage.paint('red', '✗ differs'),
  );
  print(stage, '', '   And what would another policy have done, there and then?', '');
  const others: readonly Policy[] = [{ maxAttempts: 2 }, { jitter: 'full' }, { backoff: 'fixed' }];
  for (const change of others) {
    const changed = definePolicy({ ...policy, ...change });
    printAnswer(stage, JSON.stringify(change), decide({ ...input, policy: changed }));
  }
}

function describeInput({ input }: AttemptEnded): string {
  const { account, outcome, timeLeftMs, random } = input;
  const errorClass = outcome.kind === 'failure' ? outcome.errorClass : outcome.kind;
  return [
    `attempts ${account.charged}`,
    `outcome ${errorClass}`,
    `time left ${Math.round(timeLeftMs)} ms`,
    `random ${random.toFixed(4)}`,
  ].join(' · ');
}

function printAnswer(stage: Stage, name: string, decision: Decision, remark = ''): void {
  const answer =
    decision.action === 'retry'
      ? `retry after ${decision.delayMs} ms`
      : `${decision.action}: ${decision.reason}`;
  print(
    stage,
    `   ${stage.paint('cyan', name.padEnd(20))} ${answer.padEnd(36)} ${remark}`.trimEnd(),
  );
}
