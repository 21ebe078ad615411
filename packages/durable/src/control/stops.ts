import type { Job } from '../job/job.ts';
import type { ControlView } from './control-view.ts';
import { killKeysOf, type Stoppable } from './kill-keys.ts';

const KILL_CAUSE = 'kill:';

/** A kill switch that was released at a pace: its jobs are parked under its cause first. */
interface PacedRelease {
  readonly cause: string;
  readonly key: string;
  readonly sinceMs: number;
  readonly submittedBeforeMs: number;
}

/**
 * Kill switches and pauses, for jobs that were claimed before, and for jobs that a kill switch released at a pace. Claims
 * check them in the store. Asked before every attempt, so it caches the view's answers.
 */
export class Stops {
  readonly #view: Pick<ControlView, 'of' | 'pauses' | 'onChange'>;
  /** Keys of kill switches, and whether they interrupt. */
  #kills: ReadonlyMap<string, boolean> = new Map();
  #pausedQueues: ReadonlySet<string> = new Set();
  #pausedHandlers: ReadonlySet<string> = new Set();
  #releases: readonly PacedRelease[] = [];
  /** Whether a kill switch is engaged or a pause set. */
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

  /** Whether a kill switch with `interrupt` covers it. */
  interrupt(job: Stoppable): boolean {
    return this.#kills.size > 0 && killKeysOf(job).some((key) => this.#kills.get(key) === true);
  }

  /** The cause to park it under, if it waits for its turn after the release of a kill switch. */
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

/** Whether it was parked for this release before: then it is its turn now. */
function cameBack({ attempts }: Pick<Job, 'attempts'>, sinceMs: number): boolean {
  return attempts.kept.some(
    ({ reason, startedAtMs }) => reason === 'kill_switch' && startedAtMs >= sinceMs,
  );
}
