/**
 * The subsystem of an operation: the first part of its name, as in `subsystem_mappings`. That of
 * `browser.state_operations.timeout` is `browser`; a name without a dot is its own.
 */
export function subsystemOf(operation: string): string {
  const dot = operation.indexOf('.');
  return dot > 0 ? operation.slice(0, dot) : operation;
}
