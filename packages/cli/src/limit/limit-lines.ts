import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printText } from '../terminal/io.ts';
import { ageCell, columns, countCell } from '../terminal/table.ts';

type Limits = AnswerOf<typeof ACTIONS.limits.list>;
type Limit = Limits['limits'][number];

export const LIMIT_SET = textOf<AnswerOf<typeof ACTIONS.limits.set>>(({ io, answer }) => {
  const { limit: rate, changed } = answer;
  const { name, limit, burst, per_ms: perMs, set_by: by } = rate;
  const what = `${limit} starts in ${perMs} ms, at most ${burst} at once`;
  const whose = by === null ? ', as the workers declare it' : '';
  printText(io, `The rate ${name} ${changed ? 'is' : 'would be'} ${what}${whose}.`);
});

const LIMIT_COLUMNS = columns(
  'rate:cyan | limit:right | burst:right | waiting:right | since:optional | values:optional,right | :optional,shrinks',
);

const NONE =
  'No worker has a rate. A handler or a queue gets one by its option rate, such as { limit: 10, perMs: 1000 }.';

export const LIMIT_LIST = listOf<Limits, Limit>(({ nowMs }) => ({
  name: 'limits',
  columns: LIMIT_COLUMNS,
  none: NONE,
  row: ({ name, by, limit, burst, declared, jobs, bounded, since, values, set_by, why }) => [
    name,
    String(limit),
    String(burst),
    countCell(jobs, bounded),
    since === null ? '' : ageCell(since, nowMs),
    by === 'tenant' || by === 'key' ? String(values) : '',
    set_by === null ? '' : `set by ${set_by}, was ${declared}${why === null ? '' : `: ${why}`}`,
  ],
}));
