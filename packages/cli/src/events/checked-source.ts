import type { Clock, Timer } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type BusProblem,
  consumeEvents,
  type EventConsumer,
  type EventConsumerParts,
  type SourceStatus,
} from '@redrive/durable/events';
import type { Log } from '../log/worker-log.ts';
import type { OpenSource } from './configured-sources.ts';

/** Wait before the next check of a source that cannot begin. */
const AGAIN_MS = 5_000;

export interface CheckedSourceParts {
  readonly store: FullStore;
  readonly jobs: EventConsumerParts['jobs'];
  readonly clock: Clock;
  readonly log: Log;
  readonly onChange: (status: SourceStatus) => void;
}

/** A source that takes events when its broker has answered a check without errors. Until then it checks again. */
export class CheckedSource implements EventConsumer {
  readonly #open: OpenSource;
  readonly #parts: CheckedSourceParts;
  #consumer: EventConsumer | undefined;
  #before: SourceStatus;
  #timer: Timer | undefined;
  readonly #warned = new Set<string>();
  #isStopped = false;

  constructor(open: OpenSource, parts: CheckedSourceParts) {
    this.#open = open;
    this.#parts = parts;
    const none = { handled: 0, stored: 0, duplicates: 0, deadLettered: 0 };
    this.#before = { source: open.source.name, state: 'bus_away', ...none };
  }

  get status(): SourceStatus {
    return this.#consumer?.status ?? this.#before;
  }

  /** Checks the source, and begins if nothing speaks against it. Resolves with its errors; none where the broker is away. */
  async start(): Promise<readonly string[]> {
    const { source, bus } = this.#open;
    const answer = await bus.check(source).catch(messageOf);
    if (this.#isStopped) return [];
    if (typeof answer === 'string') {
      this.#again(answer, `The source ${source.name} cannot be checked yet: ${answer}`);
      return [];
    }
    const errors = this.#report(answer.problems);
    if (errors.length === 0) errors.push(...this.#begin());
    if (errors.length > 0) this.#again(errors.join('; '));
    return errors;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Does not wait for a check under way: a broker that is away takes ten seconds to fail it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#consumer?.stop();
  }

  /** Logs warnings. Returns the errors. */
  #report(problems: readonly BusProblem[]): string[] {
    const { name } = this.#open.source;
    const of = (severity: BusProblem['severity']) =>
      problems.filter((problem) => problem.severity === severity).map(problemText);
    for (const text of of('warning')) this.#warn(`The source ${name}: ${text}`);
    return of('error').map((text) => `${name}: ${text}`);
  }

  /** Returns why it cannot: its handler may need stored jobs, for example. */
  #begin(): string[] {
    const { source, bus } = this.#open;
    const { store, jobs, clock, onChange } = this.#parts;
    try {
      this.#consumer = consumeEvents(source, { bus, store, jobs, clock, onChange });
      return [];
    } catch (error) {
      return [`${source.name}: ${messageOf(error)}`];
    }
  }

  #again(lastError: string, text = `The source takes nothing: ${lastError}`): void {
    this.#warn(text);
    this.#before = { ...this.#before, lastError };
    this.#timer = this.#parts.clock.setTimer(AGAIN_MS, () => void this.start());
  }

  /** Once per problem: a broker may be away for hours. */
  #warn(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    const { source, bus } = this.#open;
    this.#parts.log.warn({ event: 'source.checked', source: source.name, bus: bus.name }, text);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function problemText({ problem, remedy }: BusProblem): string {
  return `${problem}. ${remedy}`;
}
