import { measureHeap } from '../measure/heap.mjs';
import { peers } from '../peers.mjs';

const wait = { attempts: 3, baseMs: 600_000, factor: 1, maxMs: 600_000 };
const secondWait = { attempts: 3, baseMs: 1, factor: 600_000, maxMs: 600_000 };
const fifthWait = { attempts: 7, baseMs: 1, factor: 12, maxMs: 600_000 };
const plain = 'hand-written#retrying';
const withSignal = 'hand-written#withSignal';

const redrive = [
  { id: 'first', label: 'Redrive, first wait', settings: wait, goal: 1.0 },
  {
    id: 'signal',
    label: 'Redrive, first wait, a signal for each',
    settings: wait,
    lane: 'redrive#withSignal',
    against: withSignal,
    signals: 'own',
    goal: 1.0,
  },
  {
    id: 'second',
    label: 'Redrive, second wait',
    settings: secondWait,
    failuresEach: 2,
    goal: 1.0,
  },
  { id: 'fifth', label: 'Redrive, fifth wait', settings: fifthWait, failuresEach: 5 },
  {
    id: 'first-new-errors',
    label: 'Redrive, first wait, new errors',
    settings: wait,
    errors: 'new',
  },
  {
    id: 'fifth-new-errors',
    label: 'Redrive, fifth wait, new errors',
    settings: fifthWait,
    failuresEach: 5,
    errors: 'new',
  },
  { id: 'jitter', label: 'Redrive, first wait, full jitter', settings: { ...wait, jitter: true } },
  {
    // A hand-written loop adds a listener for each wait, which is quadratic on one signal.
    id: 'shared-signal',
    label: 'Redrive, first wait, 10,000 on one signal',
    settings: wait,
    lane: 'redrive#withSignal',
    against: withSignal,
    signals: 'shared',
    waits: 10_000,
  },
];

export const title = '100,000 waiting retries: memory';
export const about = `Live heap held by each waiting retry after full collections. All failures throw
one error, made once, because an error with its stack can be larger than the retry; the rows with new
errors count them in. (Redrive keeps the errors of earlier attempts for its RetryError, a hand-written loop
only the last.) The caller's own signals are not counted, what hangs on them is.`;

export const measure = ({ waits, repetitions, skip }) =>
  measureHeap({
    rows: [
      ...redrive.map((row) => ({ lane: 'redrive#retrying', against: plain, waits, ...row })),
      ...peers.map((peer) => ({
        id: peer,
        label: `${peer}, first wait`,
        lane: `${peer}#retrying`,
        against: plain,
        settings: wait,
        waits,
      })),
    ],
    repetitions,
    skip,
  });
