/**
 * JSON in which the text `$name` stands for the value of the document's field `name`, of whatever type. `$$name` is the
 * text `$name`. All other values are as they are.
 *
 * `{ message_ids: ['$_id'], place: { title: '$title' } }`
 */
export interface EventTemplate {
  readonly [name: string]: TemplateValue;
}

export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | readonly TemplateValue[]
  | EventTemplate;

/** The template with the values of a document. A field that the document does not have is `null`. */
export function fillTemplate(
  template: EventTemplate,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const filled = (value: TemplateValue): unknown => {
    if (typeof value === 'string') return textOf(value);
    if (isList(value)) return value.map(filled);
    return value !== null && typeof value === 'object' ? fillTemplate(value, values) : value;
  };
  const textOf = (text: string): unknown => {
    if (!text.startsWith('$')) return text;
    const name = text.slice(1);
    if (name.startsWith('$')) return name;
    return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
  };
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, filled(value)] as const),
  );
}

const isList = (value: TemplateValue): value is readonly TemplateValue[] => Array.isArray(value);
