import { RedriveError } from '@redrive/core';
import type { Client } from 'pg';
import { Connection, type Session } from './connection.ts';

export interface PoolerCheckOptions {
  /** The store's name, for errors. */
  readonly store: string;
  readonly makeClient: () => Client;
  /** Whether the address was copied from the application's pool. */
  readonly fromPool: boolean;
  readonly timeoutMs: number;
}

/**
 * The order in which two clients send queries, after one query of the first. A pooler that shares connections reuses the
 * one that was returned last, or all in turn. With either, a client gets another connection in this order.
 */
const TURNS = ['second', 'first', 'first', 'second', 'second', 'first'] as const;

/**
 * Makes the check that comes before the first setting of every new connection: its server connection must belong to it
 * alone. A pooler in transaction mode would leave the store's settings to the application's connections, and would lose
 * prepared statements and LISTEN.
 *
 * At the login Postgres sends the process id of the server process. A pooler sends another number, in every mode
 * (PgBouncer a random one). Then two clients that send queries in turn show whether each keeps its server process.
 *
 * @returns a check that throws RedriveError `store_behind_pooler`.
 */
export function poolerCheck(
  options: PoolerCheckOptions,
): (session: Session, processId: number | undefined) => Promise<void> {
  let isSessionMode = false;
  return async (session, processId) => {
    if (isSessionMode) return;
    const own = await serverProcess(session);
    if (own === processId) return;
    if (await isShared(session, own, options)) throw behindPooler(options);
    isSessionMode = true;
  };
}

async function isShared(
  first: Session,
  own: number,
  { store, makeClient, timeoutMs }: PoolerCheckOptions,
): Promise<boolean> {
  const connection = new Connection({ store, makeClient, prepare: async () => {} });
  try {
    return await connection.use(async (second) => {
      const clients = { first, second };
      const known: { first: number; second?: number } = { first: own };
      for (const turn of TURNS) {
        const pid = await serverProcess(clients[turn]);
        known[turn] ??= pid;
        if (known[turn] !== pid || known.first === known.second) return true;
      }
      return false;
    }, timeoutMs);
  } finally {
    await connection.close(timeoutMs);
  }
}

/** One statement, and so one transaction: a pooler in statement mode allows it too. */
async function serverProcess(session: Session): Promise<number> {
  const [row] = await session.query({ text: 'select pg_backend_pid()' });
  return Number(row?.[0]);
}

function behindPooler({ store, fromPool }: PoolerCheckOptions): RedriveError {
  const copied = fromPool
    ? ' The option pool copies the address of your pool: give the store another one with the option url.'
    : '';
  return new RedriveError(
    'store_behind_pooler',
    `${store} is a pooler that shares server connections between clients, as PgBouncer does in transaction mode. A store keeps prepared statements, LISTEN and settings on its connections. Give the store the server's own address, or a pooler in session mode.${copied} enqueueIn and onceIn may go on through this pooler. Nothing was changed.`,
    { store },
  );
}
