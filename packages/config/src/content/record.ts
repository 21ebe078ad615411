/** The value, if it is a map; a wrong value has been reported already. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // Made by us from a YAML map, whose keys are texts.
      (value as Readonly<Record<string, unknown>>)
    : {};
}
