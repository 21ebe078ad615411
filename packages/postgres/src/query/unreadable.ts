import type {
  NoteCommand,
  SetAsideJob,
  UnreadableJob,
  UnreadablePage,
} from '@redrive/durable/store';
import { textArray } from '../apply/array-literal.ts';
import type { Row } from '../connect/connection.ts';
import { READ_COLUMNS, textsProblem } from '../job/row-problem.ts';
import { NOW_SQL, type Reader } from './reader.ts';

const PAGE = 2_000;

/**
 * A row is set aside as a leased row without an end of its lease: neither claims nor the rescue find it. Its other columns
 * stay. A row is found to be unreadable when it is claimed, or when its lease has ended.
 */
const IS_SET_ASIDE = "j.state = 'leased' and j.lease_until is null";

const TEXTS = READ_COLUMNS.map((name) => `j.${name}`).join(', ');

/** Sets rows aside, and keeps the reports about them until the store reads them. */
export class SetAsideRows {
  readonly #reader: Reader;
  readonly #note: (notes: readonly NoteCommand[]) => Promise<unknown>;
  #unread: SetAsideJob[] = [];

  constructor(reader: Reader, note: (notes: readonly NoteCommand[]) => Promise<unknown>) {
    this.#reader = reader;
    this.#note = note;
  }

  async add(rows: readonly SetAsideJob[]): Promise<void> {
    if (rows.length === 0) return;
    const { schema } = this.#reader;
    const taken = await this.#reader.rows({
      text: `update ${schema}.jobs j set lease_until = null from ${schema}.ids i
        where i.id = any($1::text[]) and j.seq = i.seq and j.state = 'leased' and j.lease_until is not null
        returning j.id`,
      values: [textArray(rows.map(({ id }) => id))],
    });
    const ids = new Set(taken.map(([id]) => id));
    const own = rows.filter(({ id }) => ids.has(id));
    this.#unread.push(...own);
    await this.#note(own.map(({ id, problem }) => noteOf('set_aside', id, { problem })));
  }

  take(): readonly SetAsideJob[] {
    const unread = this.#unread;
    this.#unread = [];
    return unread;
  }

  /** Puts readable rows back as expired leases, so that the rescue decides about them. */
  async putBack(ids: readonly string[]): Promise<string[]> {
    const { schema, nowMs } = this.#reader;
    if (ids.length === 0) return [];
    const found = await this.#reader.rows({
      text: `select j.id, ${TEXTS} from ${schema}.jobs j join ${schema}.ids i using (seq)
        where i.id = any($1::text[]) and ${IS_SET_ASIDE}`,
      values: [textArray(ids)],
    });
    const readable = found.filter(([, ...texts]) => textsProblem(texts) === undefined);
    const back = await this.#reader.rows({
      text: `update ${schema}.jobs j set lease_until = ${NOW_SQL}
        where j.id = any($2::text[]) and ${IS_SET_ASIDE} returning j.id`,
      values: [nowMs, textArray(readable.map(([id]) => id ?? '')) ?? '{}'],
    });
    const done = back.map(([id]) => id ?? '');
    await this.#note(done.map((id) => noteOf('put_back', id, {})));
    return done;
  }
}

function noteOf(event: 'set_aside' | 'put_back', subject: string, detail: object): NoteCommand {
  return { kind: 'note', event, subject, detail: JSON.stringify({ by: 'store', ...detail }) };
}

/** Reads one page of all jobs, in the order of their numbers, and returns those that are unreadable or set aside. */
export async function unreadableJobs(reader: Reader, after?: string): Promise<UnreadablePage> {
  const from = (table: string, aside: string): string =>
    `(select j.seq, j.id, ${aside} as aside, ${TEXTS} from ${reader.schema}.${table} j where j.seq > $1::bigint
      order by j.seq limit ${PAGE})`;
  const rows = await reader.rows({
    text: `select * from (${from('jobs', IS_SET_ASIDE)} union all ${from('finished', 'false')}) j
      order by j.seq limit ${PAGE}`,
    values: [after ?? '-1'],
  });
  const jobs = rows.flatMap(found);
  const next = rows.length === PAGE ? rows.at(-1)?.[0] : undefined;
  return { jobs, looked: rows.length, next: next ?? undefined };
}

export async function unreadableJob(
  reader: Reader,
  id: string,
): Promise<UnreadableJob | undefined> {
  const from = (table: string, aside: string): string =>
    `select j.seq, j.id, ${aside} as aside, ${TEXTS} from ${reader.schema}.${table} j
      join ${reader.schema}.ids i using (seq) where i.id = $1`;
  const rows = await reader.rows({
    text: `${from('jobs', IS_SET_ASIDE)} union all ${from('finished', 'false')}`,
    values: [id],
  });
  return rows.flatMap(found)[0];
}

function found([, id, aside, ...texts]: Row): UnreadableJob[] {
  const problem = textsProblem(texts);
  const isSetAside = aside === 't' || aside === 'true';
  return problem === undefined && !isSetAside ? [] : [{ id: id ?? '', problem, isSetAside }];
}
