/** The JSON Schema of `redrive.yaml`, for editors. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
}
