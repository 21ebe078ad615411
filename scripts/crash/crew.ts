import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@redrive/testkit/services';
import { type Deed, Evidence, type Submission } from './evidence.ts';
import { Fleet, type Member } from './fleet.ts';
import { readJournal } from './journal.ts';
import { openTarget } from './open-target.ts';
import type { Place } from './place.ts';
import type { ProcessSettings } from './process-settings.ts';
import { clocksOf } from './shifted-clock.ts';
import type { Workload } from './workload.ts';

export interface CrewOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Share of the jobs that take longer than a lease. Default 0.1. */
  readonly longShare?: number;
  readonly sweepMs: number;
  readonly fencing: boolean;
  /** `false`: effects are made without it. Default `true`. */
  readonly ledger?: boolean;
  /** Of the store. Default 5,000. */
  readonly timeoutMs?: number;
  /** Default: the mixed jobs. */
  readonly workload?: Workload;
  /** Says how far the clocks of all processes are off. Default: they are right. */
  readonly clockFile?: string;
  /** Says how the dependency of the jobs answers. Default: it is well. */
  readonly dependencyFile?: string;
  /** Workers may end by themselves: then they are replaced as if they had been killed. Default `false`. */
  readonly mortal?: boolean;
}

/** How long the rest may take, when nobody disturbs it any more. */
const FINISH_TIMEOUT_MS = 120_000;

/** How long a worker may take to start a job, its own or one of a paused worker, on a busy machine. */
const TAKE_OVER_TIMEOUT_MS = 60_000;

/** Some workers and a submitter: whoever is killed is replaced. */
export class Crew {
  readonly #place: Place;
  readonly #options: CrewOptions;
  readonly #evidence: Evidence;
  readonly #fleet = new Fleet();
  readonly #workers: Member[] = [];
  readonly #paused = new Set<Member>();
  #submitter: Member;
  /** Submissions before the present submitter's, and how many of its own have their answer. */
  #before = 0;
  #answered = 0;
  #allowed = 0;

  constructor(place: Place, options: CrewOptions) {
    this.#place = place;
    this.#options = options;
    this.#evidence = new Evidence(place.directory);
    this.#submitter = this.#startSubmitter();
    for (let index = 0; index < options.workers; index++) this.#workers.push(this.#startWorker());
  }

  /** What went wrong with the processes themselves. */
  get failures(): readonly string[] {
    return this.#fleet.failures;
  }

  /** Resolves when all have begun to work. */
  async ready(): Promise<void> {
    await Promise.all([this.#submitter, ...this.#workers].map(({ ready }) => ready));
    this.#fleet.checkAlive();
  }

  /** Lets jobs be submitted, up to the one with this number. */
  allow(upTo: number): void {
    this.#allowed = upTo;
    this.#submitter.child.send({ upTo });
  }

  /** The worker that was started first, or whoever is in its place. */
  get firstWorker(): Member | undefined {
    return this.#workers[0];
  }

  /** One of the workers that are at work, but not this one. */
  async pick(chance: number, spared?: Member): Promise<Member> {
    const candidates = this.#workers.filter(
      (worker) => !this.#paused.has(worker) && worker !== spared,
    );
    const member = candidates[Math.floor(chance * candidates.length)];
    if (member === undefined) {
      await sleep(20);
      return this.pick(chance, spared);
    }
    await member.ready;
    this.#fleet.checkAlive();
    return member;
  }

  /** The worker that runs most jobs: pausing one that does nothing shows nothing. */
  async pickBusy(chance: number): Promise<Member> {
    await until(() => this.#busiest() !== undefined, { timeoutMs: 2_000, everyMs: 50 });
    return this.#busiest() ?? this.pick(chance);
  }

  #busiest(): Member | undefined {
    const candidates = this.#workers.filter((worker) => !this.#paused.has(worker));
    const runs = candidates.map((worker) => ({ worker, count: this.#runningOn(worker).size }));
    const [most] = runs.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    return most?.worker;
  }

  /** The jobs that a worker has started and not ended, each with its token. */
  #runningOn({ name }: Member, deeds = this.#deeds()): ReadonlyMap<string, number> {
    const running = new Map<string, number>();
    for (const { what, worker, key, token } of deeds) {
      if (worker !== name) continue;
      if (what === 'start') running.set(key, token);
      else if (what === 'end' || what === 'fail') running.delete(key);
    }
    return running;
  }

  #deeds(): readonly Deed[] {
    return readJournal<Deed>(join(this.#place.directory, 'deeds'));
  }

  async kill(member: Member): Promise<void> {
    this.#evidence.blows.write({ kind: 'kill', worker: member.name, atMs: Date.now() });
    await this.#fleet.kill(member);
    this.#replace(member);
  }

  #replace(member: Member): void {
    this.#workers.splice(this.#workers.indexOf(member), 1, this.#startWorker());
  }

  async killSubmitter(): Promise<void> {
    await this.#submitter.ready;
    await this.#fleet.kill(this.#submitter);
    this.#submitter = this.#startSubmitter();
    this.allow(this.#allowed);
  }

  async pauseFor(member: Member, ms: number): Promise<void> {
    this.#pause(member);
    await sleep(ms);
    this.#resume(member);
  }

  /** Pauses a worker until another one has started one of its jobs, and at least for this long. */
  async pauseUntilTaken(ms: number): Promise<void> {
    const patience = { timeoutMs: TAKE_OVER_TIMEOUT_MS, everyMs: 50 };
    for (;;) {
      await until(() => this.#busiest() !== undefined, patience);
      const member = this.#busiest();
      if (member === undefined) throw new Error('No worker has started a job');
      this.#pause(member);
      // It may just have ended its jobs, or it holds the lock of the file: nobody could take over, however long it rests.
      const canBeTaken = this.#runningOn(member).size > 0 && !isLocked(this.#place);
      if (canBeTaken) {
        await sleep(ms);
        await until(() => this.#isTakenFrom(member), patience);
      }
      this.#resume(member);
      if (canBeTaken) return;
    }
  }

  #pause(member: Member): void {
    this.#paused.add(member);
    this.#evidence.blows.write({ kind: 'pause', worker: member.name, atMs: Date.now() });
    this.#fleet.pause(member);
  }

  #resume(member: Member): void {
    this.#fleet.resume(member);
    this.#evidence.blows.write({ kind: 'resume', worker: member.name, atMs: Date.now() });
    this.#paused.delete(member);
  }

  #isTakenFrom(member: Member): boolean {
    const deeds = this.#deeds();
    const running = this.#runningOn(member, deeds);
    return deeds.some(
      ({ what, key, token }) => what === 'start' && token > (running.get(key) ?? token),
    );
  }

  /** Lets so many jobs in, or all, and waits until all of them have come to their end. */
  async finish(jobs = this.#options.jobs): Promise<void> {
    this.allow(jobs);
    const { clockFile } = this.#options;
    const store = await openTarget(this.#place.target, { clock: clocksOf(clockFile).store });
    const isDone = async (): Promise<boolean> => {
      this.#fleet.checkAlive();
      const attempted = this.#attempted();
      // A submission that has no answer yet may come into the store after this look.
      if (attempted < jobs || this.#before + this.#answered < attempted) return false;
      const { groups } = await store.counts();
      return groups.every(({ state, count }) => count === 0 || FINAL.has(state));
    };
    // Whoever was not done in time is found by the checks.
    await until(isDone, { timeoutMs: FINISH_TIMEOUT_MS, everyMs: 200 });
    await store.close();
  }

  stop(): Promise<void> {
    return this.#fleet.stop();
  }

  #attempted(): number {
    return readJournal<Submission>(join(this.#place.directory, 'attempted')).length;
  }

  #startWorker(): Member {
    const settingsOf = (name: string) => this.#settings(name);
    const mortal = {
      nodeOptions: SMALL_MEMORY,
      onDeath: (member: Member) => {
        this.#evidence.blows.write({ kind: 'kill', worker: member.name, atMs: Date.now() });
        this.#replace(member);
      },
    };
    const options = this.#options.mortal === true ? mortal : {};
    const started = this.#fleet.start('worker-process', settingsOf, options);
    // It is also said to be ready when it has ended.
    void started.ready.then(() => {
      if (!this.#fleet.members.has(started)) return;
      this.#evidence.blows.write({ kind: 'ready', worker: started.name, atMs: Date.now() });
    });
    return started;
  }

  #startSubmitter(): Member {
    this.#before = this.#attempted();
    this.#answered = 0;
    const from = this.#before + 1;
    const settingsOf = (name: string) => ({ ...this.#settings(name), from });
    const started = this.#fleet.start('submitter-process', settingsOf);
    started.child.on('message', (message: 'ready' | { readonly answered: number }) => {
      if (message !== 'ready' && started === this.#submitter) this.#answered = message.answered;
    });
    return started;
  }

  #settings(name: string): ProcessSettings {
    const { seed, concurrency, leaseMs, sweepMs, fencing } = this.#options;
    const { longShare = 0.1, timeoutMs = 5_000, workload, clockFile } = this.#options;
    const { ledger = true, dependencyFile } = this.#options;
    const { target, directory } = this.#place;
    const pollMs = 200;
    return {
      ...{ target, directory, name, seed, concurrency },
      ...{ leaseMs, longShare, sweepMs, pollMs, timeoutMs, fencing, ledger },
      ...(workload === undefined ? {} : { workload }),
      ...(clockFile === undefined ? {} : { clockFile }),
      ...(dependencyFile === undefined ? {} : { dependencyFile }),
    };
  }
}

/** Whether a process holds the write lock of a SQLite file for longer than a commit takes. */
function isLocked({ kind, databaseFile }: Place): boolean {
  if (kind !== 'sqlite') return false;
  const db = new DatabaseSync(databaseFile, { timeout: 1_000 });
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    db.close();
  }
}

/** So that it is soon used up. */
const SMALL_MEMORY = ['--max-old-space-size=64'];

const FINAL: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled', 'purged']);
