import type { Clock } from '@redrive/core';
import type { Anchor, AuditReader, Compressed, CompressOptions } from '@redrive/durable/store';
import type { Client } from 'pg';
import { Connection } from '../connect/connection.ts';
import { applySettings } from '../connect/session-settings.ts';
import { AuditSnapshot, beginSnapshot } from './audit-snapshot.ts';
import { Sealer } from './sealer.ts';

export interface AuditAccessOptions {
  /** The store's name, for errors. */
  readonly store: string;
  readonly makeClient: () => Client;
  readonly schema: string;
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
}

/** Seals and reads the audit log, on connections that nothing else waits for. */
export class AuditAccess {
  readonly #options: AuditAccessOptions;
  readonly #sealer: Sealer;
  /** Those that are being read. */
  readonly #open = new Set<AuditSnapshot>();

  constructor(options: AuditAccessOptions) {
    this.#options = options;
    const { schema, clock, timeoutMs } = options;
    const connection = this.#connection(async (session) => {
      await applySettings(session, timeoutMs);
      await session.query({ text: `select "${schema}".check_epoch()` });
    });
    this.#sealer = new Sealer({ connection, schema, clock, timeoutMs });
  }

  seal(): Promise<Anchor | undefined> {
    return this.#sealer.seal();
  }

  compress(options: CompressOptions): Promise<Compressed | undefined> {
    return this.#sealer.compress(options);
  }

  async read(): Promise<AuditReader> {
    const { store, schema, timeoutMs } = this.#options;
    const prepare = beginSnapshot(store, (session) => applySettings(session, timeoutMs));
    const snapshot = new AuditSnapshot(this.#connection(prepare), schema, () => {
      this.#open.delete(snapshot);
    });
    this.#open.add(snapshot);
    try {
      return await snapshot.begin(timeoutMs);
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#sealer.close(), ...[...this.#open].map((one) => one.close())]);
  }

  #connection(prepare: ConstructorParameters<typeof Connection>[0]['prepare']): Connection {
    const { store, makeClient } = this.#options;
    return new Connection({ store, makeClient, prepare });
  }
}
