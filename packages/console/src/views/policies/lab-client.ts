import { useRef } from 'preact/hooks';
import { RedriveClientError } from '../../api.ts';
import { clock } from '../../clock.ts';
import type { Query } from '../../use-query.ts';
import type { LAB_CALLS } from './lab-calls.ts';
import type { LabAnswer, LabRequest } from './lab-worker.ts';

type Calls = typeof LAB_CALLS;
type Input<Name extends keyof Calls> = Parameters<Calls[Name]>[0];
type Output<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

/** Above the time that a recording may take. */
const MAX_MS = 150_000;

const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let worker: Worker | undefined;
let last = 0;

/** Asks the lab, which is loaded with the first call and computes beside the page. @throws RedriveClientError */
export async function askLab<Name extends keyof Calls>(
  call: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  worker ??= start();
  last += 1;
  const id = last;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(id, answer);
  worker.postMessage({ id, call, input } satisfies LabRequest);
  const timer = clock.setTimer(MAX_MS, () => stop('The lab did not answer within 150 s.'));
  try {
    return (await answer.promise) as Output<Name>; // The worker calls the function of this name.
  } finally {
    timer.cancel();
    waiting.delete(id);
  }
}

function start(): Worker {
  const made = new Worker(new URL('./lab-worker.ts', import.meta.url), { type: 'module' });
  made.addEventListener('message', ({ data }: MessageEvent<LabAnswer>) => {
    const answer = waiting.get(data.id);
    if (data.problem) answer?.reject(new RedriveClientError(data.problem, 0));
    else answer?.resolve(data.result);
  });
  made.addEventListener('error', () => stop('The lab did not load. Try again.'));
  return made;
}

/** The next call starts another worker. */
function stop(detail: string): void {
  worker?.terminate();
  worker = undefined;
  const problem = new RedriveClientError({ code: 'lab_stopped', detail }, 0);
  for (const { reject } of waiting.values()) reject(problem);
}

/** The data before, while new data is computed: nothing blinks while somebody types. */
export function useLast<T>(query: Query<T>): Query<T> & { readonly isOld: boolean } {
  const last = useRef(query.data);
  last.current = query.data ?? last.current;
  const data = query.error ? undefined : last.current;
  return { ...query, data, isOld: data !== query.data };
}
