import type { StoredPolicy } from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row } from '../connect/connection.ts';
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

export async function countPolicies(reader: Reader, atMost: number): Promise<number> {
  const [row] = await reader.rows({
    name: 'redrive count_policies',
    text: `select count(*) from (select from ${reader.schema}.policies limit $1) p`,
    values: [String(atMost)],
  });
  return Number(row?.[0] ?? 0);
}

/** `undefined`: the stored policy cannot be read. */
export function readPolicy([hash, id, policy]: Row): StoredPolicy | undefined {
  try {
    // Written by `registerPolicies`.
    const read = readJson(policy ?? '') as StoredPolicy['policy'];
    return { hash: hash ?? '', id: id ?? '', policy: read };
  } catch {
    return undefined;
  }
}

/** JSON has no infinity: it becomes null, which stands for nothing else in what is written this way. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Reads a text of `writeJson`. The caller knows its type. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A reviver would make parsing ten times slower.
  if (text.includes('null')) putInfinityBack(value);
  return value;
}

function putInfinityBack(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  // Arrays too have their entries by name.
  const entries = value as Record<string, unknown>;
  for (const name in entries) {
    if (entries[name] === null) entries[name] = Number.POSITIVE_INFINITY;
    else putInfinityBack(entries[name]);
  }
}
