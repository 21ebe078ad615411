import type { Job } from '../job/job.ts';
import type { ControlView } from './control-view.ts';
import { killKeysOf, type Stoppable } from './kill-target.ts';

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
  readonly #view: Pick<ControlView, 'of' | 'onChange'>;
  /** Keys of kill switches and pauses, and whether they interrupt. */
  #kills: ReadonlyMap<string, boolean> = new Map();
  #releases: readonly PacedRelease[] = [];
  constructor(view: Pick<ControlView, 'of' | 'onChange'>) {
    this.#view = view;
    view.onChange(() => this.#look());
  }

  /** Whether a kill switch is engaged or something is paused. */
  get any(): boolean {
    return this.#kills.size > 0;
  }

  /** Whether a kill switch or a pause covers it. */
  stop(job: Stoppable): boolean {
    return this.any && killKeysOf(job).some((key) => this.#kills.has(key));
  }

  /** Whether a kill switch with `interrupt` covers it. */
  interrupt(job: Stoppable): boolean {
    return this.any && killKeysOf(job).some((key) => this.#kills.get(key) === true);
  }

  /** The cause to park it under, if it waits for its turn after the release of a kill switch. */
  holdsBack(job: Pick<Job, 'submittedAtMs' | 'attempts'> & Stoppable): string | undefined {
    if (this.#releases.length === 0) return undefined;
    const keys = killKeysOf(job);
    return this.#releases.find(
      ({ key, submittedBeforeMs, sinceMs }) =>
        keys.includes(key) && job.submittedAtMs < submittedBeforeMs && !wasReleased(job, sinceMs),
    )?.cause;
  }

  #look(): void {
    this.#kills = new Map(
      [...this.#view.of('kill')].map(([key, { document }]) => [key, document.mode === 'interrupt']),
    );
    this.#releases = [...this.#view.of('park')].flatMap(([cause, { document }]) => {
      const { sinceMs, submittedBeforeMs } = document;
      if (submittedBeforeMs === undefined || !cause.startsWith(KILL_CAUSE)) return [];
      return [{ cause, key: cause.slice(KILL_CAUSE.length), sinceMs, submittedBeforeMs }];
    });
  }
}

/** Whether it was parked for this release before: then it is its turn now. */
function wasReleased({ attempts }: Pick<Job, 'attempts'>, sinceMs: number): boolean {
  return attempts.kept.some(
    ({ reason, startedAtMs }) => reason === 'kill_switch' && startedAtMs >= sinceMs,
  );
}
