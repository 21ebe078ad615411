import type { Clock, Timer } from '@redrive/core';
import type { ControlCommand } from '../control/control-store.ts';
import type { ControlView } from '../control/control-view.ts';
import type { SeenControl } from '../control/seen-controls.ts';
import { controlNote } from '../control/update-control.ts';
import type { Enqueuer } from '../jobs/enqueuer.ts';
import {
  documentAfter,
  type LookAnswer,
  type LookInput,
  lookAtSchedule,
  takeOver,
} from '../schedule/look-at-schedule.ts';
import type { Schedule, ScheduleDocument } from '../schedule/schedule.ts';
import { scheduledJob, stopKeysOf, tickId } from '../schedule/scheduled-job.ts';
import type { Actor, EnqueueCommand, EnqueueResult } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from './notice.ts';
import type { StoreContact, StoreTime } from './store-contact.ts';

interface ScheduleRunnerParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly time: Pick<StoreTime, 'nowMs'>;
  readonly view: ControlView;
  readonly notify: (notice: Notice) => void;
  readonly worker: string;
  readonly actor: Actor;
  readonly enqueuer: Pick<Enqueuer, 'onDeadOf'>;
  /** The schedules that this process declares. */
  readonly schedules: ReadonlyMap<string, Schedule>;
}

/** The longest time without a look: the store's clock may have been set. */
const LOOK_MS = 10_000;

/** A schedule with something to do now. */
interface Due extends LookInput {
  readonly name: string;
  readonly expect: number;
  readonly answer: Exclude<LookAnswer, { kind: 'wait' }>;
}

/**
 * Enqueues the ticks of schedules. First the jobs, then the documents: a process that dies in between leaves the cursor
 * behind, and the next worker finds that the tick's id is taken.
 *
 * Every write makes every worker read all documents, so all schedules are written together, once in a second; and a
 * worker that writes takes over those of others, so that one worker writes all of them.
 */
export class ScheduleRunner {
  readonly #parts: ScheduleRunnerParts;
  /** The documents of its own writes, which the view may not show yet. */
  readonly #written = new Map<string, SeenControl<'schedule'>>();
  /** The definitions that it has compared with their documents. */
  readonly #known = new Map<string, Schedule>();
  /** The second of the store's time in which it has written last. */
  #writtenIn = -Infinity;
  #timer: Timer | undefined;
  #stopWatching: (() => void) | undefined;
  #round: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ScheduleRunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stopWatching = this.#parts.view.onChange(() => this.look());
    this.look();
  }

  /** Begins nothing more. Resolves when the last write is done. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWatching?.();
    this.#timer?.cancel();
    await this.#round;
  }

  /** Looks for due ticks: a document or a definition has changed, the view is confirmed again, or it is time. */
  look(): void {
    const { schedules, view, contact, clock } = this.#parts;
    if (this.#closed || this.#round !== undefined || schedules.size === 0) return;
    const nowMs = this.#parts.time.nowMs();
    const { due, wakeAtMs } = this.#due(nowMs);
    const second = Math.floor(nowMs / 1_000);
    const isSoon = due.length > 0 && second === this.#writtenIn;
    const waitMs = (isSoon ? (second + 1) * 1_000 : wakeAtMs) - nowMs;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(Math.min(Math.max(1, waitMs), LOOK_MS), () => this.look());
    if (due.length === 0 || isSoon) return;
    // Nothing starts while a kill switch may be engaged that it has not seen.
    if (!view.isFresh()) view.need();
    else if (contact.isOpen) {
      this.#writtenIn = second;
      this.#round = this.#enqueueAndWrite(due).finally(() => {
        this.#round = undefined;
        this.look();
      });
    }
  }

  #due(nowMs: number): { readonly due: readonly Due[]; readonly wakeAtMs: number } {
    const { schedules, view, worker } = this.#parts;
    const due: Due[] = [];
    const waiting: Omit<Due, 'answer'>[] = [];
    let wakeAtMs = Infinity;
    for (const [name, schedule] of schedules) {
      const { document, revision: expect = 0 } = this.#current(name) ?? {};
      const isStopped = stopKeysOf(name, schedule.job).some((key) => view.of('kill').has(key));
      const isNew = this.#known.get(name) !== schedule;
      const input = { schedule, document, worker, nowMs, isStopped, isNew, name, expect };
      const answer = lookAtSchedule(input);
      if (answer.kind !== 'wait') due.push({ ...input, answer });
      else {
        waiting.push(input);
        wakeAtMs = Math.min(wakeAtMs, answer.untilMs);
        if (view.isFresh()) this.#known.set(name, schedule);
      }
    }
    return { due: due.length === 0 ? due : [...due, ...this.#takenOver(due, waiting)], wakeAtMs };
  }

  /**
   * The schedules of others that it takes over because it writes anyway: those of a holder that was late with a tick, and
   * those of a holder whose schedules it has all. So fewer and fewer processes write, until one writes for all.
   */
  #takenOver(due: readonly Due[], waiting: readonly Omit<Due, 'answer'>[]): Due[] {
    const ticks = due.filter(({ answer }) => answer.kind === 'tick');
    const late = new Set(ticks.map(({ document }) => document?.holder));
    const able = waiting.flatMap((input) => {
      const answer = takeOver(input);
      return answer === undefined ? [] : [{ ...input, answer }];
    });
    const stopped = waiting.filter(({ isStopped }) => isStopped);
    const names = new Set([...able, ...stopped].map(({ name }) => name));
    const needed = new Set<string>();
    for (const [name, { document }] of this.#parts.view.of('schedule'))
      if (!names.has(name)) needed.add(document.holder);
    return able.filter(({ document }) => {
      const holder = document?.holder ?? '';
      return late.has(holder) || !needed.has(holder);
    });
  }

  #current(name: string): SeenControl<'schedule'> | undefined {
    const seen = this.#parts.view.get('schedule', name);
    const own = this.#written.get(name);
    return own !== undefined && own.revision > (seen?.revision ?? 0) ? own : seen;
  }

  async #enqueueAndWrite(due: readonly Due[]): Promise<void> {
    const { store, contact, view } = this.#parts;
    const ticks = due.map((one) => this.#tick(one)).filter((tick) => tick !== undefined);
    const results =
      ticks.length === 0 ? [] : await contact.askByTimer('schedules', () => store.apply(ticks));
    if (results === undefined) return;
    const byId = new Map(ticks.map(({ job }, n) => [job.id, results[n]]));
    const writes = due.map((one) => this.#write(one, byId));
    const answers = await contact.askByTimer('schedules', () =>
      store.apply(writes.map(({ command }) => command)),
    );
    for (const [n, answer] of (answers ?? []).entries()) {
      const { one, document } = writes[n] as (typeof writes)[number]; // One answer per write.
      // Another process was first: the next look decides with its document.
      if (!answer.ok) this.#written.delete(one.name);
      else {
        this.#written.set(one.name, { revision: answer.revision, document });
        this.#known.set(one.name, one.schedule);
        this.#report(one, document);
      }
    }
    view.changeNotified();
  }

  #tick({ name, schedule, answer }: Due): EnqueueCommand | undefined {
    if (answer.kind !== 'tick' || !answer.enqueue) return undefined;
    const { tickMs } = answer;
    const { actor, enqueuer } = this.#parts;
    const command = scheduledJob(name, schedule, { id: tickId(name, tickMs), tickMs, actor });
    return { ...command, job: { ...command.job, onDead: enqueuer.onDeadOf(command.job.handler) } };
  }

  #write(one: Due, results: ReadonlyMap<string, EnqueueResult | undefined>) {
    const { name, expect, answer, schedule } = one;
    const result = answer.kind === 'tick' ? results.get(tickId(name, answer.tickMs)) : undefined;
    const document = documentAfter(one, answer, result);
    // The audit log has the definitions of schedules. Their ticks are jobs.
    const { payload: _, ...job } = schedule.job;
    const note = controlNote(this.#parts.actor, 'define', { ...schedule, job });
    const command: ControlCommand = {
      ...{ kind: 'control', of: 'schedule', key: name, expect },
      document: JSON.stringify(document),
      note: answer.kind === 'begin' ? JSON.stringify(note) : undefined,
    };
    return { one, command, document };
  }

  #report({ name: schedule, answer }: Due, { last }: ScheduleDocument): void {
    if (answer.kind !== 'tick') return;
    const { notify } = this.#parts;
    const missed = answer.missed + (answer.enqueue ? 0 : 1);
    if (missed > 0) notify({ kind: 'ticks_missed', schedule, missed });
    const { tickMs } = answer;
    if (last?.result === 'skipped')
      notify({ kind: 'tick_skipped', schedule, tickMs, jobId: last.jobId ?? '' });
  }
}
