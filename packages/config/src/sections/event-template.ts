import { isRecord } from '../config.ts';

/** The fields of the document that a template names: `$name`, but not `$$text`. */
export function templateFields(template: unknown): readonly string[] {
  if (typeof template === 'string')
    return template.startsWith('$') && !template.startsWith('$$') ? [template.slice(1)] : [];
  if (Array.isArray(template)) return template.flatMap(templateFields);
  return isRecord(template) ? Object.values(template).flatMap(templateFields) : [];
}
