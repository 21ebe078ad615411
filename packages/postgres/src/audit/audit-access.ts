import { type Clock, systemClock } from '@redrive/core';
import type { AuditReader } from '@redrive/durable/audit';
import type { Compressed, CompressOptions, Sealed } from '@redrive/durable/store';
import type { Connection } from '../connect/connection.ts';
import type { RunOn } from '../query/reader.ts';
import { AuditSnapshot } from './audit-snapshot.ts';
import { Sealer } from './sealer.ts';

export interface AuditAccessOptions {
  /** The connection for sealing. Its transactions are short. */
  readonly run: RunOn;
  /** Makes room for a connection that reads the log, within `limitMs`. Returns a function that gives the room back. */
  readonly beginAudit: (limitMs: number) => Promise<() => void>;
  /** Makes the connection that reads the log, in one snapshot. */
  readonly connect: () => Connection;
  readonly schema: string;
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
}

/** Seals and reads the audit log. */
export class AuditAccess {
  readonly #options: AuditAccessOptions;
  readonly #sealer: Sealer;
  /** The open snapshots. */
  readonly #open = new Set<AuditSnapshot>();

  constructor(options: AuditAccessOptions) {
    this.#options = options;
    const { run, schema, clock, timeoutMs } = options;
    this.#sealer = new Sealer({ run, schema, clock, timeoutMs });
  }

  seal(): Promise<Sealed | undefined> {
    return this.#sealer.seal();
  }

  compress(options: CompressOptions): Promise<Compressed | undefined> {
    return this.#sealer.compress(options);
  }

  async read(): Promise<AuditReader> {
    const { schema, timeoutMs, beginAudit, connect } = this.#options;
    const endsAtMs = systemClock.monotonic() + timeoutMs;
    const end = await beginAudit(timeoutMs);
    const snapshot = new AuditSnapshot(connect(), schema, () => {
      this.#open.delete(snapshot);
      end();
    });
    this.#open.add(snapshot);
    try {
      return await snapshot.begin(Math.max(0, endsAtMs - systemClock.monotonic()));
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((one) => one.close()));
  }
}
