import type { HeartbeatAnswer, LeaseRef } from '@redrive/durable/store';
import { plainArray, textArray } from '../apply/array-literal.ts';
import { NOW_SQL, type Reader } from './reader.ts';

/**
 * Extends leases. It waits for no row: one that somebody has locked is being settled, or will be free in a moment; its
 * lease is then as it was, and the next heartbeat comes in time.
 */
export async function heartbeat(
  reader: Reader,
  leases: readonly LeaseRef[],
  leaseMs: number,
): Promise<readonly HeartbeatAnswer[]> {
  if (leases.length === 0) return [];
  const { schema } = reader;
  const held = `l join ${schema}.ids i on i.id = l.id
    join ${schema}.jobs j on j.seq = i.seq and j.token = l.token and j.lease_since is not null`;
  const rows = await reader.rows({
    name: 'redrive heartbeat',
    text: `
      with t as materialized (select ${NOW_SQL} as now),
      l as materialized (select * from unnest($2::text[], $3::bigint[]) with ordinality as l(id, token, ord)),
      free as (
        select j.seq from ${held} for no key update of j skip locked),
      extended as (
        update ${schema}.jobs j set lease_until = greatest(j.lease_until, t.now + $4::bigint)
        from free f, t where j.seq = f.seq and j.lease_until > t.now)
      select l.ord, j.cancel_requested
      from ${held}, t where j.lease_until > t.now`,
    values: [
      reader.nowMs,
      textArray(leases.map(({ id }) => id)),
      plainArray(leases.map(({ token }) => token)),
      Math.ceil(leaseMs),
    ],
  });
  const answers = new Array<HeartbeatAnswer>(leases.length).fill('lost');
  for (const [ord, cancelled] of rows) {
    answers[Number(ord) - 1] = cancelled === 't' ? 'cancel' : 'held';
  }
  return answers;
}
