import { describe, expect, test } from 'vitest';
import { allActions } from './actions.ts';
import { loadAction } from './run/load-action.ts';
import { alternatives, type Schema, schemasOf } from './testing/schemas.ts';

/** The fields without a description, at every depth. */
function undescribed(schema: Schema, under = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${under}${name}`;
    const inner = alternatives(field).others.flatMap((each) => [
      ...undescribed(each, `${path}.`),
      ...alternatives(each.items ?? {}).others.flatMap((item) => undescribed(item, `${path}[].`)),
    ]);
    return [...(field.description ? [] : [path]), ...inner];
  });
}

describe.each(allActions())('%s', (name, action) => {
  test('describes every field of its input and its answer', () => {
    const { input, answer } = schemasOf(action);
    expect([...undescribed(input), ...undescribed(answer)]).toEqual([]);
  });

  test('has a POST address and an operator if it acts, and records the look if it reads', () => {
    const acts = action.kind === 'action' && action.acts === true;
    // A body that reads says what of it the record of the look has, or is too long for an address.
    const posts = acts || action.wishes !== undefined || name === 'config.validate';
    expect(action.at.startsWith(posts ? 'POST ' : 'GET ')).toBe(true);
    if (acts) expect(['operator', 'admin']).toContain(action.role);
    // A verification shows hashes and numbers, and no record.
    else if (name !== 'audit.verify') expect(action.reads ?? action.uses).toBeDefined();
  });

  test('is loaded by its name', async () => {
    expect(await loadAction(name)).toBe(action);
  });

  test('has an address of its own, and the fields of its path', () => {
    expect(allActions().filter(([, { at }]) => at === action.at)).toHaveLength(1);
    const names = [...action.at.matchAll(/:(\w+)/g)].map(([, field = '']) => field);
    expect(schemasOf(action).input.required ?? []).toEqual(expect.arrayContaining(names));
  });
});
