import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { JobState, Store } from '@redrive/durable';
import { JOB_STATES } from '@redrive/durable/store';
import pg from 'pg';
import type { Deed, Submission } from '../evidence.ts';
import { JournalTail } from '../journal.ts';
import { percentile } from '../latencies.ts';
import type { Place } from '../place.ts';
import { memoryOf, openFilesOf } from '../process-use.ts';

/** How a run was at one moment, and since the moment before. */
export interface Sample {
  readonly seconds: number;
  readonly accepted: number;
  readonly states: Readonly<Partial<Record<JobState, number>>>;
  /** Of jobs that ended since the last one, from acceptance to end. */
  readonly latencies: readonly number[];
  /** Resident memory of one worker. V8 lets it grow for long before it collects anything. */
  readonly memoryMib: number;
  /** The same after it has collected what nobody holds any more. `undefined`: it was not asked to. */
  readonly heldMib: number | undefined;
  readonly openFiles: number;
  readonly walMib: number;
  /** Why the states do not add up, if so. */
  readonly wrong: string | undefined;
}

const MIB = 1_024 * 1_024;

/** Looks at a run from outside, again and again. */
export class Sampler {
  readonly #place: Place;
  readonly #store: Store;
  readonly #startedMs = performance.now();
  readonly #attempted: JournalTail<Submission>;
  readonly #accepted: JournalTail<Submission>;
  readonly #deeds: JournalTail<Deed>;
  readonly #acceptedAtMs = new Map<string, number>();
  /** Ends of jobs whose acceptance has not been written yet. */
  #early: Deed[] = [];
  #attempts = 0;
  #acceptances = 0;

  constructor(place: Place, store: Store) {
    this.#place = place;
    this.#store = store;
    this.#attempted = new JournalTail(join(place.directory, 'attempted'));
    this.#accepted = new JournalTail(join(place.directory, 'accepted'));
    this.#deeds = new JournalTail(join(place.directory, 'deeds'));
  }

  /**
   * @param worker the one that stays.
   * @param collect whether it is to collect its garbage.
   */
  async take(worker: ChildProcess, collect: boolean): Promise<Sample> {
    const pid = worker.pid ?? 0;
    // What was accepted before the look is in it; what nobody had tried to submit after it cannot be.
    this.#readAccepted();
    const atLeast = this.#acceptances;
    const { groups, bounded } = await this.#store.counts();
    this.#attempts += this.#attempted.next().length;
    const atMost = this.#attempts;
    const states: Partial<Record<JobState, number>> = {};
    let sum = 0;
    for (const { state, count } of groups) {
      states[state] = (states[state] ?? 0) + count;
      sum += count;
    }
    const fits = sum >= atLeast && sum <= atMost;
    const wrong = `${sum} jobs, ${atLeast} accepted before, ${atMost} attempted after`;
    return {
      seconds: Math.round((performance.now() - this.#startedMs) / 1_000),
      accepted: atLeast,
      states,
      latencies: this.#latencies(),
      memoryMib: memoryMibOf(pid),
      heldMib: collect ? await heldMibOf(worker, pid) : undefined,
      openFiles: openFilesOf(pid),
      walMib: Math.round((await walBytes(this.#place)) / MIB),
      // Where the store stops counting, nothing can add up.
      wrong: fits || bounded ? undefined : wrong,
    };
  }

  #readAccepted(): void {
    for (const { key, atMs } of this.#accepted.next()) {
      this.#acceptances += 1;
      this.#acceptedAtMs.set(key, atMs);
    }
  }

  #latencies(): readonly number[] {
    const ends = [...this.#early, ...this.#deeds.next().filter(({ what }) => what === 'end')];
    this.#early = [];
    const latencies: number[] = [];
    for (const deed of ends) {
      const atMs = this.#acceptedAtMs.get(deed.key);
      if (atMs === undefined) {
        this.#early.push(deed);
      } else {
        latencies.push(Math.max(0, deed.atMs - atMs));
        this.#acceptedAtMs.delete(deed.key);
      }
    }
    // Killed submitters leave some of them behind for good.
    this.#early = this.#early.slice(-1_000);
    return latencies.sort((a, b) => a - b);
  }
}

const COLLECT_TIMEOUT_MS = 10_000;

async function heldMibOf(worker: ChildProcess, pid: number): Promise<number> {
  const collected = once(worker, 'message', { signal: AbortSignal.timeout(COLLECT_TIMEOUT_MS) });
  worker.send('collect');
  await collected;
  return memoryMibOf(pid);
}

function memoryMibOf(pid: number): number {
  return Math.round(memoryOf(pid).bytes / MIB);
}

async function walBytes({ kind, databaseFile, target }: Place): Promise<number> {
  if (kind === 'sqlite') {
    const file = `${databaseFile}-wal`;
    return existsSync(file) ? statSync(file).size : 0;
  }
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  const { rows } = await client.query('select sum(size)::float8 as bytes from pg_ls_waldir()');
  await client.end();
  return rows[0].bytes;
}

const COLUMNS = ['s', 'accepted', ...JOB_STATES, 'p50', 'p99', 'MiB', 'held', 'files', 'WAL'];
const WIDTH = 10;

export function heading(): string {
  return COLUMNS.map((name) => name.padStart(WIDTH)).join('');
}

export function lineOf({ seconds, accepted, states, latencies, ...rest }: Sample): string {
  const { memoryMib, heldMib = '', openFiles, walMib, wrong } = rest;
  const values = [
    ...[seconds, accepted, ...JOB_STATES.map((state) => states[state] ?? 0)],
    ...[percentile(latencies, 0.5), percentile(latencies, 0.99)],
    ...[memoryMib, heldMib, openFiles, walMib],
  ];
  const line = values.map((value) => String(value).padStart(WIDTH)).join('');
  return wrong === undefined ? line : `${line}  ${wrong}`;
}
