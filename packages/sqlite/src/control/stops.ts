import type { DatabaseSync } from 'node:sqlite';
import { type Query, query } from '../database/statement.ts';
import type { Step } from '../writer/step.ts';

/** What keeps ready jobs from being claimed, as it is known here. */
interface Known {
  readonly revision: number;
  /** `<scope>:<name>`. */
  readonly pauses: ReadonlySet<string>;
  /** Keys of kill switches. */
  readonly kills: ReadonlySet<string>;
  readonly killsTenants: boolean;
}

/**
 * Pauses and kill switches, as claims obey them. They are read again only where the revision says that they, or other
 * documents, have changed: one small row per transaction that follows one of another process.
 */
export class Stops {
  readonly #revision: Query<[revision: number]>;
  readonly #rise: Query<[revision: number]>;
  readonly #pauses: Query<[scope: string, name: string]>;
  readonly #kills: Query<[key: string]>;
  #known: Known | undefined;
  #isFresh = false;
  /** What was told last to those who watch. */
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

  /** The revision of documents and pauses, as it is now. */
  revision(): number {
    return this.#revision.get()?.[0] ?? 0;
  }

  /** Something was changed that every process is to hear of. Answers the new revision. */
  rise(step: Step): number {
    const revision = this.#rise.get()?.[0] ?? 0;
    step.controlRevision = revision;
    this.refresh();
    return revision;
  }

  /** Whether there is another revision than was told last. */
  takeNews(): boolean {
    const revision = this.revision();
    const hasNews = revision !== this.#toldRevision;
    this.#toldRevision = revision;
    return hasNews;
  }

  /** A commit of this process is told by whoever asked for it. */
  tell(revision: number): void {
    this.#toldRevision = revision;
  }

  /** Whether nothing of this queue and handler may be claimed. */
  coverLane(queue: string, handler: string): boolean {
    const { pauses, kills } = this.#current();
    if (pauses.has(`queue:${queue}`) || pauses.has(`handler:${handler}`)) return true;
    return kills.has('all') || kills.has(`queue:${queue}`) || kills.has(`operation:${handler}`);
  }

  /** Whether nothing of this tenant may be claimed. */
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

  /** Somebody may have changed them. */
  refresh(): void {
    this.#isFresh = false;
  }

  /** A transaction did not happen: its revisions are used by others, for something else. */
  forget(): void {
    this.#known = undefined;
  }
}
