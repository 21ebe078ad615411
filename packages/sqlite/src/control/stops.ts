import type { DatabaseSync } from 'node:sqlite';
import { type Query, query } from '../database/statement.ts';
import type { Step } from '../writer/step.ts';

/** The kill switches and pauses that this process has read. */
interface Known {
  readonly revision: number;
  /** Their keys. */
  readonly kills: ReadonlySet<string>;
  readonly killsTenants: boolean;
}

/**
 * Kill switches and pauses, which claims obey. They are read again only when the revision of control documents has
 * changed. The revision is one small row; it is read in each transaction that follows a commit of another process.
 */
export class Stops {
  readonly #revision: Query<[revision: number]>;
  readonly #nextRevision: Query<[revision: number]>;
  readonly #kills: Query<[key: string]>;
  #known: Known | undefined;
  #isFresh = false;
  /** The revision of the last notification to listeners. */
  #notifiedRevision: number;

  constructor(db: DatabaseSync) {
    this.#revision = query(db, 'SELECT revision FROM control_revision');
    this.#nextRevision = query(
      db,
      'UPDATE control_revision SET revision = revision + 1 RETURNING revision',
    );
    this.#kills = query(db, "SELECT key FROM controls WHERE kind = 'kill'");
    this.#notifiedRevision = this.revision();
  }

  /** The current revision of control documents. */
  revision(): number {
    return this.#revision.get()?.[0] ?? 0;
  }

  /** Increments the revision, so that every process reads the change. Returns the new revision. */
  nextRevision(step: Step): number {
    const revision = this.#nextRevision.get()?.[0] ?? 0;
    step.controlRevision = revision;
    this.refresh();
    return revision;
  }

  /** Whether the revision differs from that of the last notification. */
  hasChanged(): boolean {
    const revision = this.revision();
    const hasChanged = revision !== this.#notifiedRevision;
    this.#notifiedRevision = revision;
    return hasChanged;
  }

  /** After a commit of this process: the caller of the commit notifies the listeners. */
  notified(revision: number): void {
    this.#notifiedRevision = revision;
  }

  /** Whether jobs of this queue and handler must not be claimed. */
  coverLane(queue: string, handler: string): boolean {
    const { kills } = this.#current();
    if (kills.size === 0) return false;
    const keys = [`queue:${queue}`, `operation:${handler}`];
    return kills.has('all') || keys.some((key) => kills.has(key) || kills.has(`pause:${key}`));
  }

  /** Whether jobs of this tenant must not be claimed. */
  coverTenant(tenant: string): boolean {
    const { kills, killsTenants } = this.#current();
    return killsTenants && kills.has(`tenant:${tenant}`);
  }

  #current(): Known {
    if (this.#known !== undefined && this.#isFresh) return this.#known;
    const revision = this.revision();
    if (this.#known?.revision !== revision) this.#known = this.#read(revision);
    this.#isFresh = true;
    return this.#known;
  }

  #read(revision: number): Known {
    const kills = new Set(this.#kills.all().map(([key]) => key));
    const killsTenants = [...kills].some((key) => key.startsWith('tenant:'));
    return { revision, kills, killsTenants };
  }

  /** Another process may have changed them. */
  refresh(): void {
    this.#isFresh = false;
  }

  /** A transaction was rolled back: other transactions will use its revisions for other changes. */
  forget(): void {
    this.#known = undefined;
  }
}
