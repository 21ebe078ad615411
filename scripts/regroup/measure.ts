import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import { operationStatus } from '@redrive/durable/control';
import { type CauseRule, setCauseRule } from '@redrive/durable/dead-letters';
import { namedCause } from '@redrive/durable/store';
import { Client } from 'pg';
import { LiveWork } from '../bulk-acts/live-work.ts';
import { startProcess } from '../bulk-acts/start-process.ts';
import { openTarget } from '../crash/open-target.ts';
import type { Place } from '../crash/place.ts';
import { fillPostgres } from '../dead-letters/fill-postgres.ts';
import { fillSqlite } from '../dead-letters/fill-sqlite.ts';
import { commonTemplates, letDie } from '../dead-letters/templates.ts';

export interface RegroupSettings {
  readonly letters: number;
  readonly livePerSecond: number;
  readonly calmMs: number;
}

export interface RegroupFigures {
  readonly name: string;
  readonly tookMs: number;
  readonly moved: number;
  /** Letters by cause, counted by the database itself. */
  readonly counted: readonly number[];
  readonly live: ReturnType<LiveWork['take']>;
}

/** Causes that are merged, and handlers by which the merged cause is split. */
const CAUSES = 6;

/** Merges the causes of very many dead letters and splits them again, while jobs arrive and another process works. */
export async function measureRegroup(
  place: Place,
  { letters, livePerSecond, calmMs }: RegroupSettings,
): Promise<readonly RegroupFigures[]> {
  await fill(place, letters);
  const store = await openTarget(place.target, { timeoutMs: 60_000 });
  const live = new LiveWork(store, livePerSecond);
  const worker = { target: place.target, worker: 'mover', works: false };
  const mover = await startProcess({ ...worker, leaseMs: 30_000, concurrency: 10 });
  try {
    await live.start();
    await sleep(Math.min(2_000, calmMs));
    live.take();
    await sleep(calmMs);
    const calm = { name: 'calm', tookMs: calmMs, moved: 0, live: live.take() };
    const before = await countedIn(place);
    const { groups } = await store.deadGroups({}, { limit: 100 });
    const name = 'upstream';
    const merge = { name, fingerprints: groups.map(({ fingerprint }) => fingerprint) };
    const { fingerprint } = namedCause(name);
    const split = { name: 'by-handler', fingerprints: [fingerprint], splitBy: 'handler' } as const;
    const figures: RegroupFigures[] = [{ ...calm, counted: before }];
    for (const rule of [merge, split]) {
      const done = await set(store, rule);
      figures.push({ ...done, live: live.take(), counted: await countedIn(place) });
    }
    return figures;
  } finally {
    await live.stop();
    await mover.stop();
    await store.close();
  }
}

export async function fill({ target, kind, databaseFile }: Place, letters: number): Promise<void> {
  const store = await openTarget(target, { timeoutMs: 60_000 });
  await store.migrate();
  await letDie(store, commonTemplates().slice(0, CAUSES));
  await store.close();
  if (kind === 'sqlite') fillSqlite(databaseFile, CAUSES, letters);
  else await fillPostgres(target, CAUSES, letters);
}

async function set(store: FullStore, rule: CauseRule) {
  const startMs = performance.now();
  const { operation = '' } = await setCauseRule(store, { rule, actor: { name: 'script' } });
  const moved = await untilMoved(store, operation);
  return { name: rule.name, moved, tookMs: performance.now() - startMs };
}

/** @returns the letters that moved. */
export async function untilMoved(store: FullStore, operation: string): Promise<number> {
  for (;;) {
    const status = await operationStatus(store, operation);
    if (status?.state === 'finished') return status.acted;
    if (status?.state === 'stopped') throw new Error(`It stopped: ${status.changes.at(-1)?.why}`);
    await sleep(100);
  }
}

export async function countedIn({ kind, target, databaseFile }: Place): Promise<readonly number[]> {
  if (kind === 'sqlite') {
    const db = new DatabaseSync(databaseFile, { readOnly: true });
    const rows = db.prepare('select count(*) as n from dead_letters group by fingerprint').all();
    db.close();
    return descending(rows.map(({ n }) => Number(n)));
  }
  const client = new Client({ connectionString: target });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(
    "select count(*) as n from redrive.finished where state = 'dead' group by fingerprint",
  );
  await client.end();
  return descending(rows.map(({ n }) => Number(n)));
}

function descending(counts: readonly number[]): readonly number[] {
  return counts.toSorted((a, b) => b - a);
}
