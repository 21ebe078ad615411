import { retry } from '@redrive/core';
import { narrator } from './narrator.ts';
import { print, type Stage } from './stage.ts';

/** A call that fails twice and then works. */
export async function flakyCall(stage: Stage): Promise<void> {
  print(
    stage,
    '   retry(readSensor, { maxAttempts: 4, baseDelayMs: 200 })',
    stage.paint(
      'dim',
      '   200 ms, then 400 ms, each 10 % more or less so that callers come apart.',
    ),
    '',
  );
  const { events, printTimeline } = narrator(stage);
  await retry(
    ({ attempt }) => {
      if (attempt < 3) throw new Error('connection reset');
      return 21.5;
    },
    { maxAttempts: 4, baseDelayMs: 200 },
    { events, clock: stage.clock, sessionId: 'tour' },
  );
  printTimeline();
}
