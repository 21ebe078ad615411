import { describe, expect, test } from 'vitest';
import { auditInput, auditTokens, beforeAndAfter } from './records.ts';

test('words of the filter are the filters of the route; others are refused', () => {
  expect(auditTokens('event:act ann by:api:bob')).toEqual([
    ['event', 'act'],
    ['by', 'ann'],
    ['by', 'api:bob'],
  ]);
  expect(auditTokens('session:"order 42 \\"x\\"" by:ann')).toEqual([
    ['session', 'order 42 "x"'],
    ['by', 'ann'],
  ]);
  const { input, problem } = auditInput('event:act session:j1 since:2027-01-31T08:00Z');
  expect(problem).toBeUndefined();
  expect(input()).toEqual({ event: 'act', session: 'j1', since: '2027-01-31T08:00:00.000Z' });
  expect(auditInput('handlr:x').problem).toContain('handlr: is not a filter.');
});

describe('before and after', () => {
  const record = {
    ...{ time: '2027-01-31T08:00:00.000Z', event: 'settle', id: 'j1', block: 7, record: '7.0' },
    ...{ from: 'leased', to: 'dead', by: null, why: null, revision: 4, token: 2 },
    ...{ generation: 1, executions: 2 },
    detail: {} as Record<string, unknown>,
  } as const satisfies Parameters<typeof beforeAndAfter>[0];

  test('of a transition: the state, and numbers of the record before it', () => {
    expect(beforeAndAfter(record, { ...record, revision: 3, executions: 1 })).toEqual([
      ['state', 'leased', 'dead'],
      ['generation', '1', '1'],
      ['executions', '1', '2'],
      ['token', '2', '2'],
    ]);
  });

  test('of a change of the configuration: every entry of its diff', () => {
    const entries = [{ kind: 'changed', path: 'policies.a.ttl', before: 'none', after: '60' }];
    const detail = { hash_before: 'a1', hash_after: 'b2', diff: { entries, omitted: 0 } };
    const note = {
      ...record,
      from: null,
      to: null,
      generation: 0,
      executions: 0,
      token: 0,
      detail,
    };
    expect(beforeAndAfter(note)).toEqual([
      ['hash', 'a1', 'b2'],
      ['policies.a.ttl', 'none', '60'],
    ]);
  });
});
