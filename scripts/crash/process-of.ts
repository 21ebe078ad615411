/**
 * The process of the harness behind a worker's name in a record: each start adds a part of its own to the given name. Acts
 * of the worker itself, such as giving up a job whose deadline has passed, have `worker:` before it.
 */
export function processOf(worker: unknown): string {
  return String(worker)
    .replace(/^worker:/, '')
    .replace(/-[^-]*$/, '');
}
