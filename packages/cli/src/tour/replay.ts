import { type AttemptEnded, type Decision, decide, definePolicy, type Policy } from '@redrive/core';
import type { Evidence } from './giving-up.ts';
import { print, type Stage } from './stage.ts';

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
