import { formatTime, isDate } from '../terminal/times.ts';

/** The target of an operation, in words: `dead letters with handler mail that died before …, at most 1,000`. */
export function requestText(request: Readonly<Record<string, unknown>>): string {
  if (!isKept(request)) return JSON.stringify(request);
  const { ids, filter, jobs, cutOffMs, limit } = request;
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

/** Whether durable wrote the request. A caller that uses the store directly may have written any other JSON. */
function isKept(request: Readonly<Record<string, unknown>>): request is Partial<Kept> {
  const { ids, filter, jobs, cutOffMs, limit } = request;
  return (
    (ids === undefined || (isObject(ids) && typeof ids.count === 'number')) &&
    [filter, jobs].every((wishes) => wishes === undefined || isObject(wishes)) &&
    (cutOffMs === undefined || isTime(cutOffMs)) &&
    (limit === undefined || typeof limit === 'number')
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && isDate(value);
}

type Kept = {
  readonly ids: { readonly count: number };
  readonly filter: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, unknown>>;
  readonly cutOffMs: number;
  readonly limit: number;
};
