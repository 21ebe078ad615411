import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { verifyAudit } from '@redrive/durable/audit';
import { seededRandom } from '@redrive/testkit';
import { ensureBinary } from '@redrive/testkit/services';
import { openStoreWith } from '../../../packages/sqlite/src/open-store.ts';
import { withoutThreads } from '../../../packages/sqlite/src/testing/without-threads.ts';
import { allJobs } from '../../../packages/testkit/src/conformance/store/invariants.ts';
import { STRACE } from '../disk-fault.ts';
import type { Ending, Submission } from '../evidence.ts';
import { Fleet } from '../fleet.ts';
import { type FileEvent, readTrace, traceArguments } from '../io-trace.ts';
import type { Place } from '../place.ts';
import { Disk, type Survivors } from '../power-cut.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

export interface PowerCutOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly images: number;
  /** `false`: the disk keeps nothing at a sync, and the harness must find out. */
  readonly syncs: boolean;
}

export const POWER_CUT: PowerCutOptions = { seed: 1, jobs: 600, images: 1_000, syncs: true };

const SURVIVORS: readonly Survivors[] = ['none', 'first', 'any'];
/** Every so many images the whole audit log is verified too. */
const VERIFY_EVERY = 10;

/** SQLite only: makes images of the files as a power cut at any moment could leave them, and opens each one. */
export async function powerCut(place: Place, options: PowerCutOptions): Promise<Report> {
  const { seed, images, syncs } = options;
  const startedMs = performance.now();
  const random = seededRandom(seed);
  const findings = new Findings();
  const events = await recordWork(place, options.jobs);
  const firstAck = events.findIndex(({ kind }) => kind === 'append');
  const moments = Array.from(
    { length: images },
    () => firstAck + 1 + Math.floor(random() * (events.length - firstAck - 1)),
  ).sort((a, b) => a - b);
  countSyncs(events, await blocksOf(place.databaseFile), findings);

  const image = new Image(place);
  const disk = new Disk();
  let taken = 0;
  for (const [index, moment] of moments.entries()) {
    for (const event of events.slice(taken, moment)) {
      if (syncs || event.kind !== 'sync') disk.take(event);
      if (event.kind === 'append') image.acknowledge(event);
    }
    taken = moment;
    const survivors = SURVIVORS[index % SURVIVORS.length] ?? 'none';
    await image.check(disk, survivors, random, index % VERIFY_EVERY === 0);
  }
  findings.figures.images = images;
  findings.figures['acknowledged before the last'] = image.acknowledged;
  findings.none('images that do not open', image.broken);
  findings.none('acknowledged and missing', image.missing);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: 'power cut', store: place.kind, seed, figures, violations };
}

/** Lets a process work, and answers everything that it did to its files. */
async function recordWork(place: Place, jobs: number): Promise<readonly FileEvent[]> {
  const { directory, target, databaseFile } = place;
  const output = join(directory, 'trace');
  const files = [
    databaseFile,
    `${databaseFile}-wal`,
    join(directory, 'accepted'),
    join(directory, 'endings'),
  ];
  const launcher = {
    execPath: await ensureBinary(STRACE),
    execArgv: [...traceArguments(output, files), process.execPath],
  };
  const fleet = new Fleet();
  const settings = { target, directory, timeoutMs: 60_000, jobs };
  const member = fleet.start('power-cut-process', (name) => ({ ...settings, name }), { launcher });
  await member.ready;
  // Told to go, as a program would be by a user: it lets go of nothing first.
  member.child.disconnect();
  await member.ended;
  fleet.checkAlive();
  return readTrace(output);
}

/** A commit is on disk when it returns: so there is at least one sync for each. */
function countSyncs(events: readonly FileEvent[], blocks: number, findings: Findings): void {
  const syncs = events.filter(({ kind, file }) => kind === 'sync' && file.endsWith('-wal')).length;
  findings.figures['writes to the files'] = events.filter(({ kind }) => kind === 'write').length;
  findings.figures['syncs of the log'] = `${syncs} (at least ${blocks}, one for each commit)`;
  if (syncs < blocks) findings.violation('too few syncs', `${syncs} for ${blocks} commits`);
}

async function blocksOf(databaseFile: string): Promise<number> {
  const db = new DatabaseSync(databaseFile);
  const row = db.prepare('SELECT count(*) AS blocks FROM audit_blocks').get();
  db.close();
  return Number(row?.blocks);
}

/** A store as a power cut has left it. */
class Image {
  readonly broken: string[] = [];
  readonly missing: string[] = [];
  readonly #enqueued = new Set<string>();
  readonly #succeeded = new Set<string>();
  readonly #path: string;
  #made = 0;

  constructor(place: Place) {
    const directory = join(place.directory, 'image');
    mkdirSync(directory);
    this.#path = join(directory, 'redrive.db');
  }

  get acknowledged(): number {
    return this.#enqueued.size + this.#succeeded.size;
  }

  /** Notes what somebody was told to be safe. */
  acknowledge({ file, data }: { readonly file: string; readonly data: Buffer }): void {
    // The process writes nothing else there.
    if (file === 'accepted') {
      this.#enqueued.add((JSON.parse(data.toString()) as Submission).id ?? '');
    } else {
      const { id, to, refusal } = JSON.parse(data.toString()) as Ending;
      if (to === 'succeeded' && refusal === undefined) this.#succeeded.add(id);
    }
  }

  async check(
    disk: Disk,
    survivors: Survivors,
    random: () => number,
    verify: boolean,
  ): Promise<void> {
    this.#made += 1;
    const what = `image ${this.#made} (${survivors})`;
    for (const suffix of ['', '-wal']) {
      const content = disk.contentAfterCut(`redrive.db${suffix}`, survivors, random);
      writeFileSync(this.#path + suffix, content);
    }
    try {
      const db = new DatabaseSync(this.#path);
      const answer = db.prepare('PRAGMA integrity_check').get();
      db.close();
      if (answer?.integrity_check !== 'ok') throw new Error(JSON.stringify(answer));
      await this.#compare(what, verify);
    } catch (error) {
      this.broken.push(`${what}: ${String(error)}`);
    }
  }

  async #compare(what: string, verify: boolean): Promise<void> {
    const store = await openStoreWith(this.#path, {}, { audit: true, start: withoutThreads });
    try {
      const states = new Map((await allJobs(store)).map(({ id, state }) => [id, state]));
      for (const id of this.#enqueued) if (!states.has(id)) this.missing.push(`${what}: ${id}`);
      for (const id of this.#succeeded) {
        const state = states.get(id);
        if (state !== 'succeeded') this.missing.push(`${what}: ${id} is ${state ?? 'gone'}`);
      }
      if (!verify) return;
      const { ok, problems } = await verifyAudit(await store.readAudit());
      if (!ok) throw new Error(JSON.stringify(problems[0]));
    } finally {
      await store.close();
    }
  }
}
