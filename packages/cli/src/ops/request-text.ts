import { formatTime } from '../terminal/times.ts';

/** What an operation is about, in words: `dead letters with handler mail that died before …, at most 1,000`. */
export function requestText(request: Readonly<Record<string, unknown>>): string {
  // Written by durable; what it lacks is left out.
  const { ids, filter, jobs, cutOffMs, limit } = request as Partial<Kept>;
  if (ids !== undefined)
    return ids.count === 1 ? '1 job by its id' : `${ids.count} jobs by their ids`;
  const wishes = filter ?? jobs;
  if (wishes === undefined) return JSON.stringify(request);
  const noun = filter === undefined ? 'jobs' : 'dead letters';
  const parts = Object.entries(wishes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${[value].flat().join('/')}`);
  const which = parts.length === 0 ? `all ${noun}` : `${noun} with ${parts.join(', ')}`;
  const verb = filter === undefined ? 'were submitted' : 'died';
  const before = cutOffMs === undefined ? '' : ` that ${verb} before ${formatTime(cutOffMs)}`;
  return `${which}${before}${limit === undefined ? '' : `, at most ${limit.toLocaleString('en')}`}`;
}

interface Kept {
  readonly ids: { readonly count: number };
  readonly filter: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly cutOffMs: number;
  readonly limit: number;
}
