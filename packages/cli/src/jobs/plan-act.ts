import type { ActCommand, Job } from '@redrive/durable/store';

/** What to do with a job, or why nothing can be done. */
export type Plan =
  | { readonly act: ActCommand['act']; readonly note: string }
  | { readonly refusal: string };

/** How to end a job. */
export function cancelPlan({ state, cancelRequested }: Job): Plan {
  switch (state) {
    case 'succeeded':
    case 'dead':
    case 'cancelled':
    case 'purged':
      return { refusal: `it is ${state} already` };
    case 'leased':
      return cancelRequested
        ? { refusal: 'it was asked to stop already' }
        : { act: 'cancel', note: 'asked to stop, because it runs' };
    default:
      return { act: 'cancel', note: 'cancelled' };
  }
}

/** How to send a job again, or before its time. */
export function retryPlan({ state }: Job): Plan {
  switch (state) {
    case 'dead':
    case 'cancelled':
      return { act: 'requeue', note: 'requeued, with all its attempts' };
    case 'scheduled':
      return { act: 'run_now', note: 'ready now instead of later' };
    case 'parked':
      return { act: 'unpark', note: 'ready now, whatever it waited for' };
    case 'ready':
      return { refusal: 'it is ready already' };
    case 'leased':
      return { refusal: 'it runs now' };
    case 'succeeded':
      return { refusal: 'it has succeeded' };
    case 'purged':
      return { refusal: 'it is purged' };
  }
}
