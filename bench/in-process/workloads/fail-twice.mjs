import { measureCalls } from '../measure/calls.mjs';
import { peers } from '../peers.mjs';

const plain = 'hand-written#retrying';
const settings = { attempts: 3, baseMs: 0, factor: 1, maxMs: 1000 };

const redrive = [
  {
    label: 'Redrive, `definePolicy()`',
    lane: 'redrive#retrying',
    against: plain,
    goals: { cpu: 1.3 },
  },
  {
    label: 'Redrive, long-lived signal',
    lane: 'redrive#withSignal',
    against: 'hand-written#withSignal',
    goals: { cpu: 1.2 },
  },
];

const rows = [
  ...redrive.map((row) => ({ ...row, metrics: ['cpu', 'cpuAfterGc', 'bytes'] })),
  ...peers.map((peer) => ({
    label: peer,
    lane: `${peer}#retrying`,
    against: plain,
    metrics: ['cpu', 'bytes'],
  })),
];

export const title = 'Fail twice, zero delay';
export const about = `Each operation fails twice and then succeeds, with no delay between attempts;
2,000 operations in flight. All failures throw one error, made once: making an error and its stack costs
more than retrying. With a signal, the yardstick is a loop that rejects at once on abort. The rows with new errors show what a program sees.`;

export async function measure(effort) {
  const oneError = await measureCalls({ drive: 'failing-waves', settings, rows, effort });
  const newErrors = await measureCalls({
    drive: 'failing-waves-new-errors',
    settings,
    rows: redrive.map(({ goals: _, ...row }) => ({ ...row, metrics: ['cpu'] })),
    effort,
  });
  const marked = newErrors.map((result) => ({
    ...result,
    id: `${result.id}/new-errors`,
    label: `${result.label}, new errors`,
  }));
  return [...oneError, ...marked];
}
