import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { definePolicy } from './define-policy.ts';
import { type FieldDoc, type FieldRule, POLICY_FIELD_DOCS, POLICY_FIELDS } from './field-docs.ts';

interface Documented {
  readonly field: string;
  readonly doc: FieldDoc;
  readonly fallback: unknown;
  readonly rule: FieldRule;
}

const documented = Object.entries(POLICY_FIELD_DOCS).map(([field, doc]): Documented => {
  const [fallback, rule] = POLICY_FIELDS[field as keyof typeof POLICY_FIELDS]; // The types make sure that it is there.
  if (rule === undefined) throw new Error(`${field} has no rule`);
  return { field, doc, fallback, rule };
});
const page = '../../../../docs/reference/policy.md';

describe('the documentation of fields', () => {
  it('has exactly the fields of a resolved policy, in their order', () => {
    expect(Object.keys(POLICY_FIELD_DOCS)).toEqual(Object.keys(POLICY_FIELDS));
    expect(Object.keys(definePolicy())).toEqual(Object.keys(POLICY_FIELDS));
  });

  it('gives every field in files a name of its own, in snake case', () => {
    const names = documented.flatMap(({ doc }) => doc.file ?? []);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it.each(documented)('$field: unit, default and place fit its rule', (each) => {
    const { field, doc, fallback, rule } = each;
    expect(doc.unit !== undefined, 'unit').toBe(field.endsWith('Ms'));
    expect(doc.derived !== undefined, 'derived').toBe(fallback === undefined);
    const kinds = rule.kind === 'list' ? rule.of : [rule.kind];
    expect(doc.file === undefined, 'only in code').toBe(kinds.every((kind) => kind === 'function'));
    expect(doc.fileRequired && doc.fileDefault, 'required, and yet a default').toBeFalsy();
  });

  it('allows the defaults that files have', () => {
    expect(definePolicy({ jitter: 'none', jitterAmount: 0.1 })).toMatchObject({
      jitter: POLICY_FIELD_DOCS.jitter.fileDefault,
      jitterAmount: POLICY_FIELD_DOCS.jitterAmount.fileDefault,
    });
  });

  it.each(documented)('$field: the comment in policy.ts names the same default', (each) => {
    const source = readFileSync(new URL('./policy.ts', import.meta.url), 'utf8');
    const comments = new RegExp(String.raw`/\*\* ([^\n]*) \*/\n  readonly ${each.field}\?:`);
    const [, comment = ''] = comments.exec(source) ?? [];
    const [, stated = ''] = /Default:? (.*)/.exec(comment) ?? [];
    expect(stated).toContain(defaultText(each));
  });
});

describe('the page', () => {
  it('is what the table says; `npx vitest run -u` writes it anew', async () => {
    await expect(policyPage()).toMatchFileSnapshot(page);
  });
});

function policyPage(): string {
  const rows = documented.map((each) =>
    [
      `\`${each.field}\``,
      each.doc.file === undefined ? '' : `\`${each.doc.file}\``,
      allowedText(each),
      defaultText(each),
      fileDefaultText(each),
      each.doc.meaning,
    ].join(' | '),
  );
  return `# Policy fields

<!-- Made from packages/core/src/policy/fields.ts and field-docs.ts: see field-docs.test.ts. -->

Every field is optional in code: \`definePolicy\` fills in the defaults, checks everything and reports all problems at once. A field that is not in this table is an error.

Times are milliseconds in code, where the names say so, and seconds in files. The ranges below are those of the code; both ends are allowed. \`Infinity\` is no limit, which a file says by leaving the field out.

| in code | in files | allowed | default in code | default in files | meaning |
|---|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

function allowedText({ rule, doc }: Documented): string {
  switch (rule.kind) {
    case 'choice':
      return rule.values.map(valueText).join(', ');
    case 'list':
      if (rule.of.includes('number')) return '1 to 32 numbers of ms';
      return rule.of.includes('string') ? 'a list of names and functions' : 'a function, or a list';
    case 'integer':
    case 'number': {
      const { kind, min, max } = rule;
      const from = min === Number.MIN_VALUE ? 'above 0' : `from ${valueText(min)}`;
      const unit = doc.unit === undefined ? '' : ' ms';
      return `${kind === 'integer' ? 'whole, ' : ''}${from} to ${valueText(max)}${unit}`;
    }
    case 'string':
      return rule.empty ? 'a text' : 'a text, not empty';
    default:
      return `a ${rule.kind}`;
  }
}

function defaultText({ rule, fallback, doc }: Documented): string {
  if (doc.derived !== undefined) return doc.derived;
  if (rule.kind === 'list') return 'none';
  if (rule.kind === 'string') return `\`"${fallback}"\``;
  return rule.kind === 'function' ? 'every value is a success' : valueText(fallback);
}

function fileDefaultText(each: Documented): string {
  const { doc, fallback } = each;
  if (doc.file === undefined) return '';
  if (doc.fileRequired) return 'required';
  if (doc.fileDerived !== undefined) return doc.fileDerived;
  if (doc.fileDefault !== undefined) return valueText(doc.fileDefault);
  if (fallback === Infinity) return 'none';
  if (doc.unit === undefined) return defaultText(each);
  return `${valueText(Number(fallback) / 1_000)} s`;
}

/** Numbers with separators, as in prose; everything else as it is written in code. */
function valueText(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value)
    ? value.toLocaleString('en')
    : `\`${value}\``;
}
