import { type Clock, systemClock } from '@redrive/core';
import {
  type Command,
  type GroupCommit,
  groupCommit,
  type Result,
  type TickCommand,
} from '@redrive/durable/store';
import type { ConfirmedBlock } from '../connect/confirmed-block.ts';
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

/** The outcome of a batch. */
export type Outcome =
  | {
      readonly results: readonly Result[];
      /** Jobs can be claimed now that are in no result: their limit key has room again. */
      readonly released: boolean;
      /** A claim was part of the same step, after the other commands. */
      readonly claimed: boolean;
    }
  /** The caller had given up before the batch began. */
  | { readonly abandoned: true }
  | { readonly error: unknown };

export interface WriterOptions {
  readonly schema: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  /** The prefix of the writer's name in audit blocks; null: no audit. */
  readonly writer: string | null;
  /** Shared by all writers of a store. */
  readonly locators: Locators;
  readonly fastPaths: FastPaths;
  /** Asked for every transaction. */
  readonly connection: () => Connection;
  /** Shared by all writers of a store. */
  readonly confirmed: ConfirmedBlock;
}

/** A batch, and the function that answers its caller. */
interface Asked {
  readonly batch: Batch;
  readonly answer: (outcome: Outcome) => void;
}

/** The most commands of one transaction. More are slower per job, and other callers wait longer. */
const MAX_COMMANDS = 2_000;
const RACES = 5;

/** Carries out batches. Batches that arrive together are committed together. */
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
      // While the server carries out one step, the next one is built and sent. The server keeps the order.
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

  /** Resolves when all batches are done. */
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

  /** Runs one step. If the server refuses the data of one batch, each batch is run by itself. */
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

  /** Tries again after a conflict with another transaction, which has undone this one. */
  async #transaction(step: Step): Promise<StepResults> {
    for (let race = 1; ; race += 1) {
      try {
        const answer = await this.#attempt(step);
        this.#options.confirmed.note(answer.block);
        return answer;
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
      return runMixedStep(session, schema, step, writer, nowMs, this.#options);
    };
    const used = connection();
    return isOneStatement(step) ? used.share(run, limitMs) : used.use(run, limitMs);
  }
}

/** Whether the step is one statement: such a step is sent before the previous one is answered. */
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
