import type { EnqueueCommand } from '@redrive/durable/store';
import { describe, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { storeUnderTest } from '../testing/store-under-test.ts';

/** How many commits it takes to accept so many jobs that arrive together. */
async function commitsOf(jobs: number, payload: EnqueueCommand['job']['payload']): Promise<number> {
  const { store, close } = await storeUnderTest();
  const ids = Array.from({ length: jobs }, (_, n) => `job-${n}`);
  await Promise.all(ids.map((id) => store.apply([enqueueOf(id, { payload })])));
  const blocks = await store.auditBlocks(0, 1_000);
  await close?.();
  return blocks.length;
}

describe('what arrives together', () => {
  it('commits together', async () => {
    expect(await commitsOf(200, { kind: 'json', text: '1' })).toBe(1);
  });

  it('commits in several parts where it is large', async () => {
    const text = JSON.stringify('x'.repeat(1024 * 1024 - 2));
    expect(await commitsOf(40, { kind: 'json', text })).toBe(3);
    expect(await commitsOf(40, { kind: 'bytes', bytes: new Uint8Array(1024 * 1024) })).toBe(3);
  });
});
