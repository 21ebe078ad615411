import { z } from 'zod';
import { fileType } from '../shape/file-shape.ts';

/**
 * The JSON Schema of `redrive.yaml`, for editors; made from the validator itself. What needs more than one value at a time
 * (names that must be there, `max_delay` and `base_delay`, what `extends` brings) is checked by `parseConfig` only.
 */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(fileType().type, { target: 'draft-2020-12' });
  const { $schema, ...rest } = schema;
  return { $schema, title: 'redrive.yaml', ...rest };
}
