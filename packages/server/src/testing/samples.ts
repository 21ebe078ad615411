/** The part of JSON Schema that inputs of routes use. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly format?: string;
}

/** The smallest input that fits. */
export function sampleOf(schema: Schema): unknown {
  const { anyOf, oneOf, properties, items, required = [] } = schema;
  const [kind] = anyOf ?? oneOf ?? [];
  if (kind !== undefined) return sampleOf(kind);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (items !== undefined) return [sampleOf(items)];
  if (properties !== undefined) {
    const given = required.filter((name) => name in properties);
    return Object.fromEntries(given.map((name) => [name, sampleOf(properties[name] ?? {})]));
  }
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer')
    return Math.max(1, schema.minimum ?? 1);
  return schema.format === 'date-time' ? '2027-01-31T08:00:00Z' : 'x';
}
