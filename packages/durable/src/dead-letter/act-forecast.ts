import { openAccount } from '@redrive/core/stored';
import { NO_ATTEMPTS } from '../job/attempt-log.ts';
import { isFinal, type JobLife, type JobState } from '../job/job.ts';
import { actEvent, transition } from '../job/transition.ts';
import type { ActCommand, ActResult } from '../store/commands.ts';

/** The facts about a job that decide the result of an act on it. */
export interface ActSubject {
  readonly id: string;
  readonly state: JobState;
  readonly generation: number;
  /** `purged`: its state before. */
  readonly purgedFrom?: JobLife['purgedFrom'];
  readonly uniqueKey?: string | undefined;
  /** The unfinished job that has `uniqueKey` now: another one, this one, or none. */
  readonly keyHolder?: string | undefined;
  /** The row cannot be read: every act on it is refused. */
  readonly unreadable?: boolean | undefined;
}

/**
 * Predicts the results of acts, each after the ones before it, from facts about their jobs. Pure: a dry run that wrote
 * and rolled back would hold a write lock and row locks for as long as it looks.
 */
export class ActForecast {
  readonly #subjects = new Map<string, ActSubject>();
  readonly #holders = new Map<string, string | undefined>();

  /** Adds facts. A job with a prediction stays as the prediction left it. */
  add(subjects: readonly ActSubject[]): void {
    for (const subject of subjects) {
      const { id, uniqueKey, keyHolder } = subject;
      if (!this.#subjects.has(id)) this.#subjects.set(id, subject);
      if (uniqueKey !== undefined && !this.#holders.has(uniqueKey)) {
        this.#holders.set(uniqueKey, keyHolder);
      }
    }
  }

  /** The result of this act. Later predictions take its effect into account. */
  predict(command: ActCommand): ActResult {
    const before = this.#subjects.get(command.id);
    if (before === undefined) return { ok: false, refusal: 'not_found' };
    if (command.generation !== undefined && command.generation !== before.generation) {
      return { ok: false, refusal: 'changed' };
    }
    if (command.act === 'requeue' && this.#isKeyTaken(before)) {
      return { ok: false, refusal: 'unique_conflict' };
    }
    if (before.unreadable) return { ok: false, refusal: 'illegal' };
    // No answer to an act depends on the time.
    const answer = transition(lifeOf(before), actEvent(command, 0), 0);
    if (!answer.ok) return answer;
    const { state, purgedFrom, account } = answer.life;
    this.#change(before, { ...before, state, purgedFrom, generation: account.generation });
    return { ok: true, state };
  }

  #isKeyTaken({ id, uniqueKey }: ActSubject): boolean {
    const holder = uniqueKey === undefined ? undefined : this.#holders.get(uniqueKey);
    return holder !== undefined && holder !== id;
  }

  #change(before: ActSubject, after: ActSubject): void {
    this.#subjects.set(after.id, after);
    const { id, uniqueKey } = after;
    if (uniqueKey === undefined || isFinal(before.state) === isFinal(after.state)) return;
    this.#holders.set(uniqueKey, isFinal(after.state) ? undefined : id);
  }
}

/** A life with only the fields that decide about acts. */
function lifeOf({ state, generation, purgedFrom }: ActSubject): JobLife {
  return {
    state,
    purgedFrom,
    revision: 1,
    token: 0,
    account: { ...openAccount(), generation },
    generationAtMs: 0,
    cancelRequested: false,
    retryCount: 0,
    attempts: NO_ATTEMPTS,
  };
}
