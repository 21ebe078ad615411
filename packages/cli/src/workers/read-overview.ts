/** In the place of the time of a probe. */
export const NO_PROBE = 'none: no worker';

/** Ends a sentence that says that jobs are released. */
export function onceThereIsAWorker(hasWorker: boolean): string {
  return hasWorker ? '' : ', once a worker that has their handler is alive: none is now';
}
