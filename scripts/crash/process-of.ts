/** The process of the harness behind a worker's name in a record: each start adds a part of its own to the given name. */
export function processOf(worker: unknown): string {
  return String(worker).replace(/-[^-]*$/, '');
}
