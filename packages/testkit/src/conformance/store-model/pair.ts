import { deepEqual, ok } from 'node:assert/strict';
import { chargedAttempts } from '@redrive/core/stored';
import { type FullStore, type JobSummary, memoryStore, type Store } from '@redrive/durable';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import type {
  ActCommand,
  ClaimCommand,
  ClaimResult,
  Command,
  DeadPageRequest,
  LeasedJob,
  LeaseRef,
  Result,
} from '@redrive/durable/store';
import { auditRecords, type TrailRecord } from '../store/audit-trail.ts';
import { HANDLERS, MAX_ATTEMPTS } from '../store/commands.ts';
import { allDeadGroups } from '../store/dead-groups.ts';
import { deadIds } from '../store/dead-letters.ts';
import { forecast } from '../store/forecast.ts';
import { allJobs, checkInvariants } from '../store/invariants.ts';
import { same } from '../store/plain.ts';
import type { StoreUnderTest } from '../store/suite.ts';

/** `any`: which of several ready jobs a claim takes is not compared. */
export type ClaimOrder = 'exact' | 'any';

/**
 * The store under test beside the one in memory, on one clock. Whatever is done is done to both, and what they answer
 * must be the same.
 */
export class Pair {
  readonly subject: StoreUnderTest;
  readonly model: FullStore;
  /** Leases that workers believe to hold, also those that they have lost since. */
  leases: LeasedJob[] = [];
  #store: Store;
  readonly #order: ClaimOrder;

  constructor(subject: StoreUnderTest, order: ClaimOrder = 'exact') {
    this.subject = subject;
    this.#order = order;
    this.model = memoryStore({ clock: subject.clock });
    this.#store = subject.store;
  }

  get nowMs(): number {
    return this.subject.clock.now();
  }

  async apply(commands: readonly Command[]): Promise<readonly Result[]> {
    const actual: readonly Result[] = await this.#store.apply(commands);
    const followed = commands.map((command, index) =>
      command.kind === 'claim' && this.#order === 'any'
        ? claimOfSame(command, actual[index] as ClaimResult)
        : command,
    );
    const expected: readonly Result[] = await this.model.apply(followed);
    for (const [index, command] of commands.entries()) {
      const [is, should] = [actual[index], expected[index]];
      if (command.kind === 'claim') {
        this.#compareClaims(command, is as ClaimResult, should as ClaimResult);
      } else same(is, should, `the result of ${command.kind}`);
    }
    await this.compareJobs();
    return actual;
  }

  /**
   * Claims have one right answer. Only `more` may be said too often: the worst of it is a claim for nothing. And how far
   * they look for suspects is their own affair. So is whether a claim that fills its room has met a job above a rate.
   */
  #compareClaims({ rates }: ClaimCommand, actual: ClaimResult, expected: ClaimResult): void {
    const { jobs, more, suspects: _a, nextDueInMs, ...rest } = actual;
    const { jobs: expectedJobs, more: expectedMore, suspects: _b, ...expectedMost } = expected;
    const { nextDueInMs: expectedInMs, ...expectedRest } = expectedMost;
    same(jobs.map(withoutBlock), expectedJobs.map(withoutBlock), 'the jobs that were claimed');
    if (this.#order === 'exact') {
      same(rest, expectedRest, 'the result of claim');
      if (rates === undefined) same(nextDueInMs, expectedInMs, 'until the next job is due');
      else ok((nextDueInMs ?? Infinity) <= (expectedInMs ?? Infinity), 'a claim says when to come');
      ok(more || !expectedMore, 'a claim says when there are more');
    }
    this.leases.push(...expectedJobs);
  }

  async heartbeat(leases: readonly LeaseRef[], leaseMs: number): Promise<void> {
    const expected = await this.model.heartbeat(leases, leaseMs);
    deepEqual(await this.#store.heartbeat(leases, leaseMs), expected, 'the result of heartbeat');
    await this.compareJobs();
  }

  /** The leases that ran out, as both see them. */
  async expired(): Promise<readonly LeasedJob[]> {
    const expected = byId(await this.model.expiredLeases(1_000));
    const actual = byId(await this.#store.expiredLeases(1_000));
    same(actual.map(withoutBlock), expected.map(withoutBlock), 'the expired leases');
    return expected;
  }

  /** The store under test, where it answers everything. */
  get #full(): FullStore | undefined {
    // A store with one of these methods has all: `FullStore` is all or nothing.
    return 'actSubjects' in this.#store ? (this.#store as FullStore) : undefined;
  }

  /** A dry run changes nothing, and says what the acts then do. */
  async forecastActs(acts: readonly ActCommand[]): Promise<void> {
    const predicted = await forecast(this.#full ?? this.model, acts);
    await this.compareJobs();
    same(await this.apply(acts), predicted, 'what a dry run said before');
  }

  /** Pages, counts and groups of dead letters. */
  async compareDead(filter: DeadFilter, page: Partial<DeadPageRequest>): Promise<void> {
    const store = this.#full;
    if (store === undefined) return;
    const { model } = this;
    const ids = await deadIds(model, filter, page);
    deepEqual(await deadIds(store, filter, page), ids, 'the dead letters');
    same(await store.countDead(filter, 1_000), { count: ids.length, bounded: false });
    const [groups, expected] = [
      await allDeadGroups(store, filter, page.limit),
      await allDeadGroups(model, filter),
    ];
    same(byFingerprint(groups), byFingerprint(expected), 'the groups of dead letters');
  }

  /** The documents, their revisions, and what jobs are parked under. */
  async #compareControls(): Promise<void> {
    const store = this.#full;
    if (store === undefined) return;
    const expected = await this.model.controls();
    same(await store.controls(), expected, 'the controls');
    same(await store.controlRevision(), expected.revision, 'the revision of the controls');
    same(await store.parks(), await this.model.parks(), 'what jobs are parked under');
  }

  /** The batches, and how many jobs they have in each state. */
  async #compareBatches(): Promise<void> {
    const store = this.#full;
    if (store === undefined) return;
    const expected = await this.model.batches({}, { limit: 100 });
    same(await store.batches({}, { limit: 100 }), expected, 'the batches');
    for (const { id } of expected.batches) {
      same(await store.batch(id), await this.model.batch(id), `batch ${id}`);
    }
  }

  async reopen(): Promise<void> {
    if (this.subject.reopen !== undefined) this.#store = await this.subject.reopen();
  }

  /** All that is in a list of jobs. */
  async compareJobs(): Promise<void> {
    const expected = byId(await allJobs(this.model)).map(withoutBlock);
    const actual = byId(await allJobs(this.#store)).map(withoutBlock);
    same(actual, expected, 'the jobs');
  }

  /** Everything that can be seen, and what must hold at every look. */
  async compareAll(): Promise<void> {
    const store = this.#store;
    await checkInvariants(store);
    const { model } = this;
    for (const { id } of await allJobs(model)) {
      const [actual, expected] = [await store.job(id), await model.job(id)];
      same(actual && withoutBlock(actual), expected && withoutBlock(expected), `job ${id}`);
      same(
        await this.#full?.earlierPayloads(id),
        this.#full && (await model.earlierPayloads(id)),
        `the payloads before of ${id}`,
      );
      const charged = expected === undefined ? 0 : chargedAttempts(expected.account);
      ok(charged <= MAX_ATTEMPTS, `${id}: ${charged} attempts charged`);
    }
    const [{ groups: _a, ...counts }, { groups: _b, ...expectedCounts }] = [
      await store.counts(),
      await model.counts(),
    ];
    same(counts, expectedCounts, 'the counts');
    same(await store.pulse(HANDLERS), await model.pulse(HANDLERS), 'the pulse');
    await this.#compareControls();
    await this.#compareBatches();
    await this.compareDead({}, { limit: 3, first: 'oldest' });
    const [records, expectedRecords] = [await auditRecords(store), await auditRecords(model)];
    same(inOrder(records), inOrder(expectedRecords), 'the audit log');
  }
}

/**
 * The claim that takes what another store took: the model must be able to take each of them, too. What stands before the
 * place where a claim began is the store's own affair then.
 */
function claimOfSame(command: ClaimCommand, { jobs }: ClaimResult): ClaimCommand {
  const lanes = command.lanes.map((lane) => ({ ...lane, limit: jobs.length }));
  const only = jobs.map(({ id }) => id);
  return { ...command, lanes, only, limit: jobs.length, ahead: 0, maxLosses: undefined };
}

function byId<J extends { readonly id: string }>(jobs: readonly J[]): J[] {
  return jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function byFingerprint<G extends { readonly fingerprint: string }>(groups: readonly G[]): G[] {
  return groups.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
}

/** Numbers of blocks are each store's own. */
function withoutBlock<J extends Pick<JobSummary, 'auditBlock'>>(job: J): Omit<J, 'auditBlock'> {
  const { auditBlock: _block, ...rest } = job;
  return rest;
}

function inOrder(records: readonly TrailRecord[]): object[] {
  return records
    .toSorted((a, b) => (a.id === b.id ? a.revision - b.revision : 0))
    .map(({ block: _block, previousBlock: _previous, ...record }) => JSON.stringify(record))
    .sort()
    .map((text) => JSON.parse(text));
}
