import type { Session } from './connection.ts';

export interface ConfirmedBlockOptions {
  /** The store's name, for the warning. */
  readonly store: string;
  readonly schema: string;
  /** The prefix of this process's writers in audit blocks; null: no audit. */
  readonly writer: string | null;
  readonly warn: (message: string) => void;
}

/** Blocks that are looked through for the newest one that is left. */
const LOOKED_THROUGH = 10_000;

/**
 * The newest audit block whose commit the server has confirmed to this process. A server that does not have it has lost
 * confirmed commits: a standby was promoted that had not received them, or an older backup was restored. Every connection
 * for writes looks for it before its first statement. The database itself cannot show the loss: it is a
 * consistent older state.
 */
export class ConfirmedBlock {
  readonly #options: ConfirmedBlockOptions;
  #seq = 0;
  #losses = 0;
  #hasOtherNames = false;

  constructor(options: ConfirmedBlockOptions) {
    this.#options = options;
  }

  note(seq: number | undefined): void {
    if (seq !== undefined && seq > this.#seq) this.#seq = seq;
  }

  /** A pooler gave this session to another client before, whose chain goes on: blocks do not have the name of this process. */
  inheritsChain(): void {
    this.#hasOtherNames = true;
  }

  /** Warns, once per loss, if the server does not have the block. */
  async check(session: Session): Promise<void> {
    const { schema, store, writer, warn } = this.#options;
    const seq = this.#seq;
    const losses = this.#losses;
    if (seq === 0 || writer === null) return;
    const names = this.#hasOtherNames ? '' : `${writer}.`;
    const [row] = await session.query({
      text: `select exists (select from "${schema}".audit_blocks b where b.seq = $1 and starts_with(b.writer, $2))
          or exists (select from "${schema}".audit_packs p where $1 between p.min_seq and p.max_seq)`,
      values: [seq, names],
    });
    // Another connection may have reported this loss in the meantime. Numbers do not show it: they begin again where
    // the server has lost them.
    if (row?.[0] === 't' || losses !== this.#losses) return;
    this.#losses += 1;
    this.#seq = 0;
    const left = await this.#newestLeft(session, names);
    warn(
      `${store} has lost commits that it had confirmed: audit block ${seq} of this process is gone${left}. It was probably replaced by a standby that had not received them. Jobs that were accepted since then may be missing, and finished ones run again: see "Failover" in docs/how-to/postgres-in-production.md`,
    );
  }

  async #newestLeft(session: Session, names: string): Promise<string> {
    const [row] = await session.query({
      text: `select b.seq, to_char(to_timestamp(b.at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        from (select seq, at, writer from "${this.#options.schema}".audit_blocks order by seq desc limit ${LOOKED_THROUGH}) b
        where starts_with(b.writer, $1) order by b.seq desc limit 1`,
      values: [names],
    });
    return row === undefined
      ? ''
      : `, and its newest block that is left is ${row[0]}, of ${row[1]}`;
  }
}
