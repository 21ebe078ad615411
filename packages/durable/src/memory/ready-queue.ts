import type { Job } from '../job/job.ts';
import { compareText } from './compare-text.ts';
import { SortedList } from './sorted-list.ts';

/** The ready jobs of one tenant at one priority, in the order of their submission. */
interface Turn {
  readonly tenant: string;
  readonly jobs: SortedList<Job>;
}

interface Level {
  readonly priority: number;
  readonly turns: SortedList<Turn>;
}

/** Ready jobs in the order of the queue, kept in order as they come and go. */
export class ReadyQueue {
  readonly #levels = new SortedList<Level>((a, b) => b.priority - a.priority);

  add(job: Job): void {
    const level = this.#level(job.priority);
    const turn = level.turns.find({ tenant: job.tenant, jobs: NO_JOBS });
    const jobs = turn?.jobs ?? new SortedList(bySubmission);
    jobs.add(job);
    if (turn === undefined) level.turns.add({ tenant: job.tenant, jobs });
  }

  remove(job: Job): void {
    const level = this.#level(job.priority);
    const turn = level.turns.find({ tenant: job.tenant, jobs: NO_JOBS });
    turn?.jobs.remove(job);
    if (turn?.jobs.size === 0) level.turns.remove(turn);
    if (level.turns.size === 0) this.#levels.remove(level);
  }

  count(isCounted: (job: Job) => boolean): number {
    let count = 0;
    for (const { turns } of this.#levels) {
      for (const { jobs } of turns) for (const job of jobs) if (isCounted(job)) count += 1;
    }
    return count;
  }

  #level(priority: number): Level {
    const wanted: Level = { priority, turns: new SortedList(byTenant) };
    const found = this.#levels.find(wanted);
    if (found === undefined) this.#levels.add(wanted);
    return found ?? wanted;
  }

  /**
   * Offers job after job in the order of the queue: priority; within it the tenants by turns, beginning after
   * `afterTenant`; within a tenant submission time, then id. `take` says what it does with a job: `take` ends the
   * tenant's turn, `pass` offers the tenant's next job, `stop` ends it all. A job that was passed over is not offered
   * again. The queue must not change meanwhile.
   */
  offer(afterTenant: string | undefined, take: (job: Job) => 'take' | 'pass' | 'stop'): void {
    for (const level of this.#levels) {
      let cursors = inTurn(level, afterTenant).map((turn) => turn.jobs[Symbol.iterator]());
      while (cursors.length > 0) {
        const left: Iterator<Job>[] = [];
        for (const cursor of cursors) {
          const answer = offerOne(cursor, take);
          if (answer === 'stop') return;
          if (answer === 'take') left.push(cursor);
        }
        cursors = left;
      }
    }
  }
}

/** One turn of one tenant. `pass`: it has nothing that can be taken. */
function offerOne(
  cursor: Iterator<Job>,
  take: (job: Job) => 'take' | 'pass' | 'stop',
): 'take' | 'pass' | 'stop' {
  for (let next = cursor.next(); next.done !== true; next = cursor.next()) {
    const answer = take(next.value);
    if (answer !== 'pass') return answer;
  }
  return 'pass';
}

/** The tenants after `afterTenant`, then the others up to it. */
function inTurn({ turns }: Level, afterTenant: string | undefined): Turn[] {
  const all = [...turns];
  if (afterTenant === undefined) return all;
  const first = all.findIndex(({ tenant }) => compareText(tenant, afterTenant) > 0);
  return first < 0 ? all : [...all.slice(first), ...all.slice(0, first)];
}

function byTenant(a: Turn, b: Turn): number {
  return compareText(a.tenant, b.tenant);
}

function bySubmission(a: Job, b: Job): number {
  return a.submittedAtMs - b.submittedAtMs || compareText(a.id, b.id);
}

const NO_JOBS = new SortedList(bySubmission);
