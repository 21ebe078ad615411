import type { DatabaseSync } from 'node:sqlite';
import { type Query, query } from '../database/statement.ts';
import type { Step } from '../writer/step.ts';

/** The pauses and kill switches that this process has read. */
interface Known {
  readonly revision: number;
  /** `<scope>:<name>`. */
  readonly pauses: ReadonlySet<string>;
  /** Keys of kill switches. */
  readonly kills: ReadonlySet<string>;
  readonly killsTenants: boolean;
}

/**
 * Pauses and kill switches, which claims obey. They are read again only when the revision of control documents has
 * changed. The revision is one small row; it is read in each transaction that follows a commit of another process.
 */
export class Stops {
  readonly #revision: Query<[revision: number]>;
  readonly #rise: Query<[revision: number]>;
  readonly #pauses: Query<[scope: string, name: string]>;
  readonly #kills: Query<[key: string]>;
  #known: Known | undefined;
  #isFresh = false;
  /** The revision of the last notification to listeners. */
  #toldRevision: number;

  constructor(db: DatabaseSync) {
    this.#revision = query(db, 'SELECT revision FROM control_revision');
    this.#rise = query(
      db,
      'UPDATE control_revision SET revision = revision + 1 RETURNING revision',
    );
    this.#pauses = query(db, 'SELECT scope, name FROM pauses');
    this.#kills = query(db, "SELECT key FROM controls WHERE kind = 'kill'");
    this.#toldRevision = this.revision();
  }

  /** The current revision of control documents and pauses. */
  revision(): number {
    return this.#revision.get()?.[0] ?? 0;
  }

  /** Increments the revision, so that every process reads the change. Returns the new revision. */
  rise(step: Step): number {
    const revision = this.#rise.get()?.[0] ?? 0;
    step.controlRevision = revision;
    this.refresh();
    return revision;
  }

  /** Whether the revision differs from that of the last notification. */
  takeNews(): boolean {
    const revision = this.revision();
    const hasNews = revision !== this.#toldRevision;
    this.#toldRevision = revision;
    return hasNews;
  }

  /** After a commit of this process: the caller of the commit notifies the listeners. */
  tell(revision: number): void {
    this.#toldRevision = revision;
  }

  /** Whether jobs of this queue and handler must not be claimed. */
  coverLane(queue: string, handler: string): boolean {
    const { pauses, kills } = this.#current();
    if (pauses.has(`queue:${queue}`) || pauses.has(`handler:${handler}`)) return true;
    return kills.has('all') || kills.has(`queue:${queue}`) || kills.has(`operation:${handler}`);
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
    const pauses = new Set(this.#pauses.all().map(([scope, name]) => `${scope}:${name}`));
    const kills = new Set(this.#kills.all().map(([key]) => key));
    const killsTenants = [...kills].some((key) => key.startsWith('tenant:'));
    return { revision, pauses, kills, killsTenants };
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
