import { expect, test } from 'vitest';
import type { TransactionClient } from './driver-types.ts';
import { inTurn } from './in-turn.ts';

const client: TransactionClient = { query: () => Promise.reject(new Error('not used')) };
const patience = (waitMs: number) => ({ waitMs, refusal: () => new Error('in progress') });

test('who does not wait is refused while another call is under way, however soon that one ends', async () => {
  const first = inTurn(client, patience(0), () => Promise.resolve('first'));
  const second = inTurn(client, patience(0), () => Promise.resolve('second'));
  const ends = await Promise.allSettled([first, second]);
  expect(ends).toMatchObject([
    { status: 'fulfilled', value: 'first' },
    { status: 'rejected', reason: { message: 'in progress' } },
  ]);
  expect(await inTurn(client, patience(0), () => Promise.resolve('third'))).toBe('third');
});

test('who waits has its turn after all calls before it, also after one that was refused', async () => {
  const order: string[] = [];
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const first = inTurn(client, patience(1_000), () => end.then(() => void order.push('first')));
  const refused = inTurn(client, patience(0), () => Promise.resolve());
  await expect(refused).rejects.toThrow('in progress');
  const second = inTurn(client, patience(1_000), async () => void order.push('second'));
  resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});
