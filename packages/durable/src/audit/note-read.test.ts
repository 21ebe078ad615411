import { expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { type Look, noteRead } from './note-read.ts';
import { recordsIn } from './read-body.ts';

const OWN = {
  by: 'api:ada@203.0.113.7',
  from: '203.0.113.7',
  command: 'GET /v1/audit',
  reads: 'sessions',
  why: 'INC-7',
  args: ['job-1'],
} as const satisfies Partial<Look>;

async function detailOf(wishes: Look['wishes']) {
  const store = memoryStore();
  const onNotRecorded = () => undefined;
  await noteRead(store, { ...OWN, wishes }, { nowMs: 0, onNotRecorded });
  return (await store.auditBlocks(0, 10)).flatMap((block) => recordsIn(block))[0]?.detail;
}

test.each(['by', 'from', 'command', 'reads', 'why', 'args'])(
  'a filter named %s does not replace the field of the record, and is kept',
  async (name) => {
    expect(await detailOf({ [name]: 'forged' })).toEqual({ ...OWN, [`filter_${name}`]: 'forged' });
    expect(await detailOf({ [name]: undefined })).toEqual(OWN);
  },
);

test('other filters keep their name', async () => {
  expect(await detailOf({ tenant: 'acme', token: 'hunter2' })).toEqual({
    ...OWN,
    tenant: 'acme',
    token: '[masked]',
  });
});
