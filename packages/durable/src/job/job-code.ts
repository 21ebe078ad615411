import type { AttemptAccount, AttemptEntry } from '@redrive/core/stored';
import type { JobSpec } from './job.ts';

/** One number of an account: its own, or how often an attempt ended in one way. */
export type AccountNumber = Exclude<keyof AttemptAccount, 'entries'> | AttemptEntry;

/** How a store keeps accounts: as numbers in an order of its own, without the zeros at the end. */
export interface AccountCode {
  encode(account: AttemptAccount): number[];
  /** `columns`: the numbers that the store keeps beside them. */
  decode(
    numbers: readonly number[],
    columns?: { readonly [N in AccountNumber]?: number },
  ): AttemptAccount;
}

/** The order is never changed: stored accounts rely on it. A new number comes last. */
export function accountCode(order: readonly AccountNumber[]): AccountCode {
  const places = Object.fromEntries(order.map((name, place) => [name, place]));
  return {
    encode(account) {
      const { entries, ...own } = account;
      const all: Readonly<Record<AccountNumber, number>> = { ...own, ...entries };
      const numbers = order.map((name) => all[name]);
      while (numbers.at(-1) === 0) numbers.pop();
      return numbers;
    },

    decode(numbers, columns = {}) {
      const of = (name: AccountNumber): number =>
        columns[name] ?? numbers[places[name] ?? numbers.length] ?? 0;
      return {
        generation: of('generation'),
        claims: of('claims'),
        entries: {
          succeeded: of('succeeded'),
          failed: of('failed'),
          rate_limited: of('rate_limited'),
          interrupted: of('interrupted'),
          blocked: of('blocked'),
          cancelled: of('cancelled'),
          lease_lost: of('lease_lost'),
          process_lost: of('process_lost'),
        },
        executions: of('executions'),
        freeWaits: of('freeWaits'),
        freeWaitMs: of('freeWaitMs'),
        lastDelayMs: of('lastDelayMs'),
        unchargedSinceMs: of('unchargedSinceMs'),
        clearedLosses: of('clearedLosses'),
      };
    },
  };
}

/** Fields of the enqueue that a store keeps in one text, because no statement searches them; a store may have columns for some. */
export type SpecCode = { readonly [Field in Unsearched]?: JobSpec[Field] | undefined };

type Unsearched =
  | 'batch'
  | 'tags'
  | 'digest'
  | 'headers'
  | 'sessionId'
  | 'policyId'
  | 'onDead'
  | 'parentId'
  | 'ownPolicy'
  | 'maxAttempts'
  | 'uniqueKey'
  | 'limitKey'
  | 'rateKey'
  | 'correlationId'
  | 'traceId'
  | 'idempotencyKey'
  | 'origin';

/** As JSON, without fields that have their default value. `null` where all have: most jobs are like that. */
export function encodeSpec(job: SpecCode & Pick<JobSpec, 'id'>): string | null {
  const { ownPolicy, maxAttempts, onDead, parentId, rateKey } = job;
  const { id, batch, digest, policyId, uniqueKey, limitKey, correlationId, traceId, origin } = job;
  const tags = job.tags?.length === 0 ? undefined : job.tags;
  const headers = isEmpty(job.headers) ? undefined : job.headers;
  const sessionId = job.sessionId === id ? undefined : job.sessionId;
  const idempotencyKey = job.idempotencyKey === id ? undefined : job.idempotencyKey;
  const keys = policyId ?? uniqueKey ?? limitKey ?? correlationId ?? traceId ?? idempotencyKey;
  const rare = ownPolicy ?? maxAttempts ?? onDead ?? parentId ?? rateKey;
  const others = tags ?? headers ?? sessionId ?? origin ?? digest ?? batch;
  if ((keys ?? rare ?? others) === undefined) return null;
  return JSON.stringify({
    // First: stores find it there, see `BATCH_IN_SPEC`.
    batch,
    tags,
    headers,
    sessionId,
    policyId,
    ownPolicy,
    maxAttempts,
    onDead,
    parentId,
    uniqueKey,
    limitKey,
    rateKey,
    correlationId,
    traceId,
    idempotencyKey,
    origin,
    digest,
  } satisfies SpecCode);
}

const NOTHING: SpecCode = Object.freeze({});

let lastSpec: { readonly text: string; readonly spec: SpecCode } | undefined;

/** Jobs of a batch mostly have the same, so it is read once. @throws Error for a text that is not an object. */
export function decodeSpec(text: string | null): SpecCode {
  if (text === null) return NOTHING;
  if (lastSpec?.text === text) return lastSpec.spec;
  const spec: unknown = JSON.parse(text);
  if (typeof spec !== 'object' || spec === null) throw new Error('it is not an object');
  // Written by encodeSpec.
  lastSpec = { text, spec: Object.freeze(spec as SpecCode) };
  return lastSpec.spec;
}

function isEmpty(record: object | undefined): boolean {
  for (const _ in record) return false;
  return true;
}
