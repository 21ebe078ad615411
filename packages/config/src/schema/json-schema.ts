import { z } from 'zod';
import { BUILT_IN_SECTIONS } from '../sections/built-in.ts';
import type { Section } from '../sections/section.ts';
import { fileType } from '../shape/file-type.ts';

/**
 * The JSON Schema of `redrive.yaml`, for editors; made from the validator itself. What needs more than one value at a time
 * (names that must be there, `max_delay` and `base_delay`, what `extends` brings) is checked by `parseConfig` only.
 */
export function configJsonSchema(
  options: { readonly sections?: readonly Section[] } = {},
): Readonly<Record<string, unknown>> {
  const { sections = BUILT_IN_SECTIONS } = options;
  const schema = z.toJSONSchema(fileType(sections).type, { target: 'draft-2020-12' });
  const { $schema, ...rest } = schema;
  return { $schema, title: 'redrive.yaml', ...rest };
}
