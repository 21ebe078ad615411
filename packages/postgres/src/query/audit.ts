import {
  type AuditBlock,
  checkLimit,
  type RecordSizes,
  type StoredPolicy,
} from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row } from '../connect/connection.ts';
import { readJson, writeJson } from '../job/json-text.ts';
import { jobSelection, readJob } from '../job/read-job.ts';
import type { Reader } from './reader.ts';

export async function registerPolicies(
  reader: Reader,
  policies: readonly StoredPolicy[],
): Promise<void> {
  if (policies.length === 0) return;
  await reader.rows({
    name: 'redrive register_policies',
    text: `insert into ${reader.schema}.policies (hash, id, policy)
      select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
    values: [
      textArray(policies.map(({ hash }) => hash)),
      textArray(policies.map(({ id }) => id)),
      textArray(policies.map(({ policy }) => writeJson(policy))),
    ],
  });
}

export async function findPolicy(reader: Reader, hash: string): Promise<StoredPolicy | undefined> {
  const [row] = await reader.rows({
    name: 'redrive policy',
    text: `select hash, id, policy from ${reader.schema}.policies where hash = $1`,
    values: [hash],
  });
  return row && readPolicy(row);
}

export function readPolicy([hash, id, policy]: Row): StoredPolicy {
  // Written by `registerPolicies`.
  return {
    hash: hash ?? '',
    id: id ?? '',
    policy: readJson(policy ?? '') as StoredPolicy['policy'],
  };
}

export async function auditBlocks(
  reader: Reader,
  after: number,
  limit: number,
): Promise<AuditBlock[]> {
  checkLimit('limit', limit);
  const rows = await reader.rows({
    name: 'redrive audit_blocks',
    text: `select seq, writer, at, prev_hash, hash, body from ${reader.schema}.audit_blocks
      where seq > $1 order by seq limit $2`,
    values: [after, limit],
  });
  return rows.map(([seq, writer, at, prevHash, hash, body]) => ({
    seq: Number(seq),
    writer: writer ?? '',
    atMs: Number(at),
    prevHash: prevHash ?? '',
    hash: hash ?? '',
    body: body ?? '',
  }));
}

const SAMPLE = 100;

/** Mean size of the newest records of each kind, written as JSON. Payloads and results are the user's, and not counted. */
export async function recordSizes(reader: Reader): Promise<RecordSizes> {
  const newest = (table: 'jobs' | 'finished'): string =>
    `(select ${jobSelection(table)} from ${reader.schema}.${table} j order by j.seq desc limit ${SAMPLE})`;
  const [jobRows, bodies, policies] = await Promise.all([
    reader.rows({ text: `${newest('jobs')} union all ${newest('finished')}` }),
    reader.rows({
      text: `select body from ${reader.schema}.audit_blocks order by seq desc limit ${SAMPLE}`,
    }),
    reader.rows({
      text: `select hash, id, policy from ${reader.schema}.policies limit ${SAMPLE}`,
    }),
  ]);
  const jobs = jobRows
    .map(readJob)
    .sort((a, b) => b.submittedAtMs - a.submittedAtMs)
    .slice(0, SAMPLE);
  return {
    session: meanBytes(
      jobs.map(
        ({ payload: _payload, result: _result, attempts: _attempts, ...session }) => session,
      ),
    ),
    attempt: meanBytes(jobs.flatMap(({ attempts }) => attempts.kept)),
    // An array of records, by its encoding.
    event: meanBytes(bodies.flatMap(([body]) => JSON.parse(body ?? '[]') as unknown[])),
    policy: meanBytes(policies.map(readPolicy)),
  };
}

function meanBytes(values: readonly unknown[]): number | undefined {
  if (values.length === 0) return undefined;
  const bytes = values.reduce<number>(
    (sum, value) => sum + Buffer.byteLength(JSON.stringify(value)),
    0,
  );
  return Math.round(bytes / values.length);
}
