import { measureCalls } from '../measure/calls.mjs';
import { peers } from '../peers.mjs';

const plain = 'hand-written#retrying';

const redrive = [
  {
    label: 'Redrive, `definePolicy()`',
    lane: 'redrive#retrying',
    against: plain,
    goals: { cpu: 1.0, bytes: 0.9 },
  },
  {
    label: 'Redrive, inline literal',
    lane: 'redrive#inlineLiteral',
    against: plain,
    goals: { cpu: 1.2 },
  },
  {
    label: 'Redrive, long-lived signal',
    lane: 'redrive#withSignal',
    against: 'hand-written#withSignal',
    goals: { cpu: 1.2 },
  },
  {
    label: 'Redrive, a signal for each call',
    lane: 'redrive#withOwnSignal',
    against: 'hand-written#withOwnSignal',
  },
  {
    label: 'Redrive, function reads `ctx.signal`',
    lane: 'redrive#readingSignal',
    against: 'hand-written#readingSignal',
  },
];

export const title = 'Success on first try';
export const about = `One call after another; three attempts allowed, none needed. With a signal,
the yardstick is a loop that rejects at once on abort, also in the middle of an attempt; where the function reads \`ctx.signal\`, a loop that
makes an AbortController for each attempt.`;

export const measure = (effort) =>
  measureCalls({
    drive: 'one-by-one',
    settings: { attempts: 3, baseMs: 100, factor: 1, maxMs: 100 },
    rows: [
      ...redrive.map((row) => ({ ...row, metrics: ['cpu', 'cpuAfterGc', 'bytes'] })),
      ...peers.map((peer) => ({
        label: peer,
        lane: `${peer}#retrying`,
        against: plain,
        metrics: ['cpu', 'bytes'],
      })),
      {
        label: 'no retry at all',
        lane: 'hand-written#noRetry',
        against: plain,
        metrics: ['cpu', 'bytes'],
      },
    ],
    unchecked: ['hand-written#noRetry'],
    effort,
  });
