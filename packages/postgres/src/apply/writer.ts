import { type Clock, systemClock } from '@redrive/core';
import {
  type Command,
  type GroupCommit,
  groupCommit,
  type Result,
  type TickCommand,
} from '@redrive/durable/store';
import type { Connection, Session } from '../connect/connection.ts';
import { isLostRace, isNeverStored, isRolledBack } from '../connect/errors.ts';
import type { FastPaths } from '../fast-paths.ts';
import { StepStatements } from './call-step.ts';
import { type ControlStepCommand, isControl, runControlStep } from './control-step.ts';
import type { Locators } from './locators.ts';
import { runMixedStep } from './mixed-step.ts';
import { runPlainStep, type StepResults } from './plain-step.ts';
import { type Batch, type MixedStep, planSteps, type Step } from './plan-steps.ts';
import { runTickStep } from './tick-step.ts';

/** What became of a batch. */
export type Outcome =
  | {
      readonly results: readonly Result[];
      /** Jobs became claimable that no result tells of: their limit key has room again. */
      readonly released: boolean;
      /** A claim went with it, and has seen what it did. */
      readonly claimed: boolean;
    }
  /** Its caller had given up before it began. */
  | { readonly abandoned: true }
  | { readonly error: unknown };

export interface WriterOptions {
  readonly schema: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  /** The name that its audit blocks begin with; null: there is no audit. */
  readonly writer: string | null;
  /** Shared by all writers of a store. */
  readonly locators: Locators;
  readonly fastPaths: FastPaths;
  readonly connection: Connection;
}

/** A batch, and whoever waits for what becomes of it. */
interface Asked {
  readonly batch: Batch;
  readonly answer: (outcome: Outcome) => void;
}

/** Commands of one transaction. More make it slower per job, and others wait for it. */
const MAX_COMMANDS = 2_000;
const RACES = 5;

/** Carries out batches: what arrives together commits together. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #commits: GroupCommit<Asked, void>;
  readonly #statements: StepStatements;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#statements = new StepStatements(options.schema);
    this.#commits = groupCommit<Asked, void>({
      commit: (asked) => this.#commit(asked),
      maxCommands: MAX_COMMANDS,
      sizeOf: ({ batch }) => batch.size,
      // While the server carries out one, the next one is put together and sent. They are carried out in this order.
      inFlight: 2,
      overlapFrom: options.fastPaths.overlap,
    });
  }

  /** Never rejects. */
  apply(batch: Batch): Promise<Outcome> {
    return new Promise((answer) => {
      this.#commits.apply([{ batch, answer }]).catch((error: unknown) => answer({ error }));
    });
  }

  /** Resolves when everything that was asked for is done. */
  drain(): Promise<void> {
    return this.#commits.drain();
  }

  /** Each caller is answered as soon as its own step is done. */
  async #commit(asked: readonly Asked[]): Promise<readonly undefined[]> {
    const answers = new Map(asked.map(({ batch, answer }) => [batch, answer]));
    const steps = planSteps(asked.map(({ batch }) => batch));
    await Promise.all(
      steps.map(async (step) => {
        for (const [batch, outcome] of await this.#run(step)) answers.get(batch)?.(outcome);
      }),
    );
    return asked.map(() => undefined);
  }

  /** One step; and where somebody's part in it is refused by the server, each part by itself. */
  async #run(step: Step): Promise<readonly (readonly [Batch, Outcome])[]> {
    const wanted = step.batches.filter(({ abandoned }) => !abandoned);
    if (wanted.length < step.batches.length) {
      const others = await this.#runAll(planSteps(wanted));
      return [...others, ...step.batches.filter(isAbandoned).map(unanswered)];
    }
    try {
      const { results, released } = await this.#transaction(step);
      const claimed = step.kind === 'plain' && step.claim !== undefined;
      return step.batches.map((batch, at) => [
        batch,
        { results: results[at] ?? [], released, claimed },
      ]);
    } catch (error) {
      if (isRolledBack(error) && step.batches.length > 1) {
        return this.#runAll(step.batches.flatMap((batch) => planSteps([batch])));
      }
      const [batch] = step.batches;
      if (
        batch !== undefined &&
        isNeverStored(error) &&
        !isOneByOne(step) &&
        batch.commands.some(isSettle)
      ) {
        return this.#runAll([{ kind: 'mixed', batches: [batch], oneByOne: true }]);
      }
      return step.batches.map((each) => [each, { error }]);
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
    const { schema, clock, writer, locators, connection } = this.#options;
    const endsAtMs = Math.max(...step.batches.map((batch) => batch.endsAtMs));
    const limitMs = Math.max(0, endsAtMs - systemClock.monotonic());
    const run = async (session: Session): Promise<StepResults> => {
      const nowMs = clock === undefined ? null : clock.now();
      if (step.kind === 'plain') {
        return runPlainStep(session, this.#statements, step, writer, nowMs, locators);
      }
      const tick = loneTick(step);
      if (tick !== undefined) return runTickStep(session, schema, tick, writer, nowMs);
      const controls = controlsAlone(step);
      if (controls !== undefined) {
        const frame = { nowMs, seq: null, writer };
        const { results } = await runControlStep(session, schema, frame, controls);
        return { results: [results], released: false };
      }
      const results = await runMixedStep(session, schema, step, writer, nowMs, this.#options);
      // Rare, and so not worth to be found out: others may look for nothing.
      return { results: [results], released: true };
    };
    return isOneStatement(step) ? connection.share(run, limitMs) : connection.use(run, limitMs);
  }
}

/** Such steps follow each other without waiting for answers. */
function isOneStatement(step: Step): boolean {
  return step.kind === 'plain' || loneTick(step) !== undefined || controlsAlone(step) !== undefined;
}

/** The commands of a step that has only changes of control documents, and releases. */
function controlsAlone({
  batches: [{ commands }],
}: MixedStep): readonly ControlStepCommand[] | undefined {
  return commands.every(isControl) ? commands : undefined;
}

/** The tick of a step that has nothing else. */
function loneTick({ batches: [{ commands }] }: MixedStep): TickCommand | undefined {
  const [command] = commands;
  return commands.length === 1 && command?.kind === 'tick' ? command : undefined;
}

function isSettle({ kind }: Command): boolean {
  return kind === 'settle';
}

function isOneByOne(step: Step): boolean {
  return step.kind === 'mixed' && step.oneByOne;
}

function isAbandoned({ abandoned }: Batch): boolean {
  return abandoned;
}

function unanswered(batch: Batch): readonly [Batch, Outcome] {
  return [batch, { abandoned: true }];
}
