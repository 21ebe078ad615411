import { createHash } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { newId, type OnceLedger, systemClock } from '@redrive/core';
import type { RetryManager } from '@redrive/core/manager';
import { BUS_TIMEOUTS } from '@redrive/durable/events';
import {
  BusCalls,
  type LedgerOptions,
  resolveLedgerOptions,
  type StoredKey,
  storeLedger,
} from '@redrive/durable/store';
import { parseAddress } from './address.ts';
import { CLASSIFIERS, Link } from './connection.ts';
import { ServerTime } from './server-time.ts';

/** `retentionMs` is the bucket's `max_age`: a key is forgotten this time after its last change. Default 30 days. */
export interface NatsLedgerOptions extends LedgerOptions {
  /** The KV bucket, which is created if it is missing. Default `redrive-ledger`. */
  readonly bucket?: string | undefined;
  /** Copies of a bucket that is created. Default 1; in a cluster use 3. */
  readonly replicas?: number | undefined;
  /** Retries of calls, by their categories (`KV_CREATE`, `KV_GET`, `KV_PUT`, `KV_DELETE`). Default: built-in policies. */
  readonly manager?: RetryManager | undefined;
  /** Tests pass virtual time. Default: the timestamps of the server decide when a lease has expired. */
  readonly now?: (() => number) | undefined;
}

/** A ledger with a connection of its own. */
export interface NatsLedger extends OnceLedger {
  close(): Promise<void>;
}

/** A key in the bucket. Its token is the revision of the write that reserved it: revisions of a bucket only rise. */
interface Kept extends Omit<StoredKey, 'token'> {
  /** Absent: the revision of this write itself. */
  readonly token?: number;
  readonly leaseMs: number;
  /** The call that wrote it, by which a call recognises its own write after the answer was lost. */
  readonly by: string;
  /** Virtual time of the write, in tests. */
  readonly atMs?: number;
}

const RESERVED = { state: 'in_progress', value: null, metadata: null } as const;

type Found = Omit<Kept, 'token'> & {
  readonly token: number;
  readonly revision: number;
  readonly atMs: number;
};

/**
 * The ledger on JetStream KV: each change is a create or an update with the revision that was read, so two callers never
 * both hold a key. Connects at the first call. See `Ledger` of core for the protocol.
 */
export function natsLedger(url: string, options: NatsLedgerOptions = {}): NatsLedger {
  const { bucket = 'redrive-ledger', replicas = 1, manager, now, ...shared } = options;
  const { retentionMs } = resolveLedgerOptions(shared);
  const address = parseAddress(url);
  const calls = new BusCalls(address.name, CLASSIFIERS, manager);
  const link = new Link(address, calls);
  let opening: Promise<KV> | undefined;

  async function open(): Promise<KV> {
    const connection = await link.get();
    return calls.run('KV_CREATE', `Open bucket ${bucket}`, BUS_TIMEOUTS.connectMs, () =>
      new Kvm(jetstream(connection, { timeout: BUS_TIMEOUTS.publishMs })).create(bucket, {
        history: 1,
        replicas,
        ttl: Number.isFinite(retentionMs) ? retentionMs : 0,
        // Only the leader is read: a follower may not have the reservation that was just made.
        allow_direct: false,
      }),
    );
  }

  async function run<T>(category: string, of: string, call: (kv: KV) => Promise<T>): Promise<T> {
    opening ??= open();
    const kv = await opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return calls.run(category, `${category} of ${of}`, BUS_TIMEOUTS.publishMs, () => call(kv));
  }

  const time = new ServerTime(async () => {
    await run('KV_PUT', 'the clock', (kv) => kv.put('clock', ''));
    const entry = await run('KV_GET', 'the clock', (kv) => kv.get('clock'));
    return entry?.created.getTime() ?? 0;
  });
  const nowMs = async (): Promise<number> => now?.() ?? (await time.now());

  async function find(key: string): Promise<Found | undefined> {
    const entry = await run('KV_GET', textOf(key), (kv) => kv.get(nameOf(key)));
    if (entry === null || entry.operation !== 'PUT') return undefined;
    const kept = entry.json<Kept>();
    const { revision, created } = entry;
    const atMs = now === undefined ? created.getTime() : (kept.atMs ?? 0);
    return { ...kept, token: kept.token ?? revision, revision, atMs };
  }

  /** Writes a key if it is still as it was found. Answers the revision, or undefined if somebody else was first. */
  async function write(
    key: string,
    found: Found | undefined,
    kept: Kept,
  ): Promise<number | undefined> {
    const text = JSON.stringify(now === undefined ? kept : { ...kept, atMs: now() });
    return run('KV_PUT', textOf(key), async (kv) => {
      try {
        if (found === undefined) return await kv.create(nameOf(key), text);
        return await kv.update(nameOf(key), text, found.revision);
      } catch (error) {
        if (!isWrongSequence(error)) throw error;
        const own = await find(key);
        return own?.by === kept.by ? own.revision : undefined;
      }
    });
  }

  /** Changes a key that a token holds, until no other change comes between. */
  async function change(key: string, token: number, to: Partial<Kept>): Promise<boolean> {
    const by = newId('call', systemClock);
    for (;;) {
      const found = await find(key);
      if (found?.state !== 'in_progress' || found.token !== token) return false;
      const { revision: _, atMs: __, ...kept } = found;
      if ((await write(key, found, { ...kept, ...to, by })) !== undefined) return true;
    }
  }

  const ledger = storeLedger(
    {
      async reserve(key, { fingerprint, leaseMs }) {
        const by = newId('call', systemClock);
        const kept = { ...RESERVED, fingerprint, leaseMs, by };
        for (;;) {
          const found = await find(key);
          if (found !== undefined) {
            const { state, fingerprint: recordedFingerprint, value } = found;
            if (recordedFingerprint !== fingerprint)
              return { state: 'conflict', recordedFingerprint };
            if (state === 'done') return { state, value };
            const leaseLeftMs =
              state === 'failed' ? 0 : found.atMs + found.leaseMs - (await nowMs());
            if (leaseLeftMs > 0) return { state: 'in_progress', leaseLeftMs };
          }
          const token = await write(key, found, kept);
          if (token !== undefined) return { state: 'reserved', token };
        }
      },
      renew: (key, token, leaseMs) => change(key, token, { leaseMs }),
      end: (key, { state, token, value, metadata }) =>
        change(key, token, { state, value, metadata }),
      look: (key) => find(key),
      clear: (key) => run('KV_DELETE', textOf(key), (kv) => kv.delete(nameOf(key))),
    },
    shared,
  );
  return Object.assign(ledger, { close: () => link.close() });
}

const textOf = (key: string) => `idempotency key ${key}`;

/** Keys may have any characters and 512 of them; names in a bucket may not. */
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function isWrongSequence(error: unknown): boolean {
  const { code }: { code?: unknown } = Object(error);
  return code === 10_071 || code === 10_164;
}
