import { LAB_CALLS } from './lab-calls.ts';

/** A call of `LAB_CALLS` by its name. */
export interface LabRequest {
  readonly id: number;
  readonly call: keyof typeof LAB_CALLS;
  readonly input: unknown;
}

export interface LabAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly problem?: { readonly code: string; readonly detail: string };
}

addEventListener('message', ({ data: { id, call, input } }: MessageEvent<LabRequest>) => {
  // The client's types tie the input to the call.
  const run = async () => (LAB_CALLS[call] as (input: unknown) => unknown)(input);
  const unexpected = (error: unknown) => ({ code: 'page_error', detail: String(error) });
  run().then(
    (result) => postMessage({ id, result }),
    (error) => postMessage({ id, problem: Object(error).document ?? unexpected(error) }),
  );
});
