import type { Job } from '../job/job.ts';
import type { ControlView } from './control-view.ts';
import { killKeysOf, type Stoppable } from './kill-keys.ts';

const KILL_CAUSE = 'kill:';

/** A kill switch that was released at a pace: what it had stopped comes back by way of its cause. */
interface PacedRelease {
  readonly cause: string;
  readonly key: string;
  readonly sinceMs: number;
  readonly submittedBeforeMs: number;
}

/**
 * What operators have stopped. Claims obey kill switches and pauses in the store; this is for jobs that were claimed
 * before, and for what a kill switch leaves behind. Asked before every attempt, so it remembers what the view says.
 */
export class Stops {
  readonly #view: Pick<ControlView, 'of' | 'pauses' | 'onChange'>;
  /** Keys of kill switches, and whether they interrupt. */
  #kills: ReadonlyMap<string, boolean> = new Map();
  #pausedQueues: ReadonlySet<string> = new Set();
  #pausedHandlers: ReadonlySet<string> = new Set();
  #releases: readonly PacedRelease[] = [];
  /** Whether anything is stopped. */
  any = false;

  constructor(view: Pick<ControlView, 'of' | 'pauses' | 'onChange'>) {
    this.#view = view;
    view.onChange(() => this.#look());
  }

  /** Whether a kill switch or a pause covers it. */
  stop(job: Stoppable): boolean {
    if (!this.any) return false;
    if (this.#pausedQueues.has(job.queue) || this.#pausedHandlers.has(job.handler)) return true;
    return killKeysOf(job).some((key) => this.#kills.has(key));
  }

  /** Whether a kill switch covers it that does not let attempts finish. */
  interrupt(job: Stoppable): boolean {
    return this.#kills.size > 0 && killKeysOf(job).some((key) => this.#kills.get(key) === true);
  }

  /** The cause to park it under, if its turn to come back after a kill switch has not come yet. */
  holdsBack(job: Pick<Job, 'submittedAtMs' | 'attempts'> & Stoppable): string | undefined {
    if (this.#releases.length === 0) return undefined;
    const keys = killKeysOf(job);
    return this.#releases.find(
      ({ key, submittedBeforeMs, sinceMs }) =>
        keys.includes(key) && job.submittedAtMs < submittedBeforeMs && !cameBack(job, sinceMs),
    )?.cause;
  }

  #look(): void {
    const { pauses } = this.#view;
    this.#kills = new Map(
      [...this.#view.of('kill')].map(([key, { document }]) => [key, document.mode === 'interrupt']),
    );
    this.#pausedQueues = namesOf(pauses, 'queue');
    this.#pausedHandlers = namesOf(pauses, 'handler');
    this.any = this.#kills.size + pauses.length > 0;
    this.#releases = [...this.#view.of('park')].flatMap(([cause, { document }]) => {
      const { sinceMs, submittedBeforeMs } = document;
      if (submittedBeforeMs === undefined || !cause.startsWith(KILL_CAUSE)) return [];
      return [{ cause, key: cause.slice(KILL_CAUSE.length), sinceMs, submittedBeforeMs }];
    });
  }
}

function namesOf(pauses: ControlView['pauses'], scope: 'queue' | 'handler'): ReadonlySet<string> {
  return new Set(pauses.filter((pause) => pause.scope === scope).map(({ name }) => name));
}

/** Whether it was parked for this release before: it is here again because its turn has come. */
function cameBack({ attempts }: Pick<Job, 'attempts'>, sinceMs: number): boolean {
  return attempts.kept.some(
    ({ reason, startedAtMs }) => reason === 'kill_switch' && startedAtMs >= sinceMs,
  );
}
