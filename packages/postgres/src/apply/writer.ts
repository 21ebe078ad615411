import { type Clock, systemClock } from '@redrive/core';
import { type GroupCommit, groupCommit, type Result } from '@redrive/durable/store';
import type { Connection } from '../connect/connection.ts';
import { isLostRace, isRolledBack } from '../connect/errors.ts';
import { stepText } from './call-step.ts';
import { type Chain, newChain } from './chain.ts';
import type { Locators } from './locators.ts';
import { runMixedStep } from './mixed-step.ts';
import { runPlainStep, type StepResults } from './plain-step.ts';
import { type Batch, planSteps, type Step } from './plan-steps.ts';

/** What became of a batch. */
export type Outcome =
  | {
      readonly results: readonly Result[];
      /** Jobs became claimable that no result tells of: their limit key has room again. */
      readonly released: boolean;
    }
  /** Its caller had given up before it began. */
  | { readonly abandoned: true }
  | { readonly error: unknown };

export interface WriterOptions {
  readonly schema: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  readonly audit: boolean;
  /** Shared by all writers of a store. */
  readonly locators: Locators;
  /** Makes the writer's connection; `onNew` is to be called for each new one. */
  readonly connect: (onNew: () => void) => Connection;
}

/** Commands of one transaction. More make it slower per job, and others wait for it. */
const MAX_COMMANDS = 2_000;
const RACES = 5;

/** Carries out batches on a connection of its own: what arrives together commits together. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #connection: Connection;
  readonly #commits: GroupCommit<Batch, Outcome>;
  readonly #stepText: string;
  #chain: Chain | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#stepText = stepText(options.schema);
    this.#connection = options.connect(() => {
      this.#chain = undefined;
    });
    this.#commits = groupCommit<Batch, Outcome>({
      commit: (batches) => this.#commit(batches),
      maxCommands: MAX_COMMANDS,
      sizeOf: ({ commands }) => commands.length,
      // One: then a claim that is brought after an enqueue always sees it.
      inFlight: 1,
    });
  }

  async apply(batch: Batch): Promise<Outcome> {
    const [outcome] = await this.#commits.apply([batch]);
    // One batch, one outcome.
    return outcome as Outcome;
  }

  async close(limitMs: number): Promise<void> {
    await this.#commits.drain();
    await this.#connection.close(limitMs);
  }

  async #commit(batches: readonly Batch[]): Promise<readonly Outcome[]> {
    const outcomes = new Map<Batch, Outcome>();
    for (const step of planSteps(batches)) {
      for (const [batch, outcome] of await this.#run(step)) outcomes.set(batch, outcome);
    }
    return batches.map((batch) => outcomes.get(batch) ?? { abandoned: true });
  }

  /** One step; and where somebody's part in it is refused by the server, each part by itself. */
  async #run(step: Step): Promise<readonly (readonly [Batch, Outcome])[]> {
    const wanted = step.batches.filter(({ abandoned }) => !abandoned);
    if (wanted.length < step.batches.length) return this.#runAll(planSteps(wanted));
    try {
      const { results, released } = await this.#transaction(step);
      return step.batches.map((batch, at) => [batch, { results: results[at] ?? [], released }]);
    } catch (error) {
      if (isRolledBack(error) && step.batches.length > 1) {
        return this.#runAll(step.batches.flatMap((batch) => planSteps([batch])));
      }
      return step.batches.map((batch) => [batch, { error }]);
    }
  }

  async #runAll(steps: readonly Step[]): Promise<readonly (readonly [Batch, Outcome])[]> {
    const all: (readonly [Batch, Outcome])[] = [];
    for (const step of steps) all.push(...(await this.#run(step)));
    return all;
  }

  /** Tries again when it lost against another transaction: then nothing of it has happened. */
  async #transaction(step: Step): Promise<StepResults> {
    for (let race = 1; ; race += 1) {
      try {
        return await this.#attempt(step);
      } catch (error) {
        if (race >= RACES || !isLostRace(error)) throw error;
      }
    }
  }

  #attempt(step: Step): Promise<StepResults> {
    const { schema, clock, audit, locators } = this.#options;
    const endsAtMs = Math.max(...step.batches.map((batch) => batch.endsAtMs));
    const limitMs = Math.max(0, endsAtMs - systemClock.monotonic());
    return this.#connection.use(async (session) => {
      this.#chain ??= newChain(audit, systemClock);
      const nowMs = clock === undefined ? null : clock.now();
      if (step.kind === 'plain') {
        return runPlainStep(session, this.#stepText, step, this.#chain, nowMs, locators);
      }
      const [{ commands }] = step.batches;
      const results = await runMixedStep(session, schema, commands, this.#chain, nowMs, locators);
      // Rare, and so not worth to be found out: others may look for nothing.
      return { results: [results], released: true };
    }, limitMs);
  }
}
