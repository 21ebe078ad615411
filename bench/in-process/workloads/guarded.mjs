import { measureCalls } from '../measure/calls.mjs';

const handWritten = 'hand-written-guarded#guarded';
const settings = {
  attempts: 3,
  baseMs: 100,
  factor: 1,
  maxMs: 100,
  timeoutMs: 1000,
  ttlMs: 10_000,
  threshold: 5,
  openMs: 30_000,
};

const redrive = [
  {
    label: 'Redrive, with budget',
    lane: 'redrive#guarded',
    against: handWritten,
    goals: { cpu: 0.6 },
  },
  {
    label: 'Redrive, with budget, function reads `ctx.signal`',
    lane: 'redrive#guardedReadingSignal',
    against: 'hand-written-guarded#guardedReadingSignal',
    goals: { cpu: 0.6 },
  },
  {
    label: 'Redrive, with budget and TTL',
    lane: 'redrive#guardedWithTtl',
    against: 'hand-written-guarded#guardedWithTtl',
  },
];

const peers = [
  { label: 'opossum (no retry)', lane: 'opossum#guardedWithoutRetry' },
  { label: 'opossum + p-retry', lane: 'opossum#guarded' },
  { label: 'mollitia', lane: 'mollitia#guarded' },
  { label: 'cockatiel', lane: 'cockatiel#guarded' },
  { label: 'effect', lane: 'effect#guarded' },
];

const rows = [
  ...redrive.map((row) => ({ ...row, metrics: ['cpu', 'cpuAfterGc', 'bytes'] })),
  ...peers.map((row) => ({ ...row, against: handWritten, metrics: ['cpu', 'bytes'] })),
];

// opossum alone does not retry, so it cannot pass the check of three calls.
const unchecked = ['opossum#guardedWithoutRetry'];

export const title = 'Retry + timeout + breaker + budget, success';
export const about = `The yardstick is a hand-written retry with a timeout for each attempt and a
breaker, without a budget; where the function reads the signal or there is a TTL, it does that too.
First one call after another, then 100 in flight (peers only one by one).`;

export async function measure(effort) {
  const oneByOne = await measureCalls({ drive: 'one-by-one', settings, rows, unchecked, effort });
  const inFlight = await measureCalls({
    drive: 'waves',
    settings,
    rows: redrive.map((row) => ({ ...row, metrics: ['cpu'] })),
    effort,
  });
  const marked = inFlight.map((result) => ({
    ...result,
    id: `${result.id}/in-flight`,
    label: `${result.label}, 100 in flight`,
  }));
  return [...oneByOne, ...marked];
}
