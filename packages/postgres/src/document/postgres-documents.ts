import { type Clock, isRedriveError, RedriveError } from '@redrive/core';
import { postgresErrors } from '@redrive/core/classify/postgres';
import {
  DOCUMENT_TIMEOUT_MS,
  type DocumentCollection,
  type DocumentSource,
} from '@redrive/durable/documents';
import {
  changesBy,
  type DocumentWrite,
  type MarkChange,
  newParts,
  newValues,
  type WriteTarget,
} from '@redrive/durable/store';
import { Connection, type Row, type Session } from '../connect/connection.ts';
import { clientSource } from '../connect/make-client.ts';
import { applySettings } from '../connect/session-settings.ts';
import { type PostgresTarget, resolveTarget } from '../options.ts';
import * as page from './page.ts';
import { findTable, prepareTable, quoted, quotedTable, type Table } from './table.ts';

export interface PostgresDocumentsOptions {
  /** For tests: all times come from here. Default: the server's clock. */
  readonly clock?: Clock | undefined;
}

/** Building an index reads the whole table. */
const PREPARE_TIMEOUT_MS = 600_000;

type Run = (text: (statement: page.Statement) => string) => Promise<readonly Row[]>;

/**
 * Documents in tables of a Postgres database (13 or newer), for sweeps. Connects at the first call, with one connection of
 * its own.
 *
 * @throws RedriveError `invalid_option` unless the target has either `url` or `pool`.
 */
export function postgresDocuments(
  target: string | PostgresTarget,
  { clock }: PostgresDocumentsOptions = {},
): DocumentSource {
  const { name, make: makeClient } = clientSource(resolveTarget(target), DOCUMENT_TIMEOUT_MS);
  const connect = (limitMs: number) =>
    new Connection({ store: name, makeClient, prepare: (session) => begin(session, limitMs) });
  const connection = connect(DOCUMENT_TIMEOUT_MS);

  async function call<T>(collection: DocumentCollection, work: (run: Run) => Promise<T>) {
    const virtual = clock && `'${new Date(clock.now()).toISOString()}'::timestamptz`;
    const now = virtual ?? 'statement_timestamp()';
    return orDocumentsError(name, collection, () =>
      connection.use(async (session) => {
        const table = await findTable(session, collection);
        return work((text) => {
          const values: (string | number | null)[] = [];
          const add = (value: string | number | null) => `$${values.push(value)}`;
          return session.query({ text: text({ ...table, now, add }), values });
        });
      }, DOCUMENT_TIMEOUT_MS),
    );
  }

  async function pageOf(run: Run, documents: readonly (string | null | undefined)[]) {
    const [[nowMs] = []] = await run(({ now }) => `select ${page.msOf(now)}`);
    return { nowMs: Number(nowMs), documents: documents.map(page.storedDocument) };
  }

  /**
   * Changes the documents of a list; each is compared by itself. A row that somebody else has locked is
   * left alone: two sweepers would otherwise wait for each other, and for every open transaction of the application.
   */
  const write = (
    collection: DocumentCollection,
    one: DocumentWrite,
    targets: readonly WriteTarget[],
  ): Promise<readonly boolean[]> =>
    call(collection, async (run) => {
      const list = targets.map(({ stamp = '[]', ...target }, n) => {
        const [status, count, time] = JSON.parse(stamp);
        return { ...target, n, status, count, time };
      });
      // The owner waits for its own transactions; a sweep would wait for all of them.
      const locked = one.operation === 'record' ? '' : 'skip locked';
      const update = (some: readonly (typeof list)[number][]) =>
        run((statement) => {
          const { table, id, cast, add } = statement;
          const { where, set } = writeSql(statement, one);
          const usable = JSON.stringify(some.filter((one) => canBeId(one.id, statement)));
          return `with c as (select * from json_to_recordset(${add(usable)}::json)
              as c(n int, id text, event text, status text, count text, time text, error text)),
            mine as (select c.n, d.${id} as own from ${table} d join c on d.${id} = ${cast('c.id', 'id')}
              where ${where} order by d.${id} for update of d ${locked})
            update ${table} d set ${set} from c join mine on mine.n = c.n
              where d.${id} = mine.own and ${where} returning c.n`;
        });
      const changed = new Set((await eachWritten(list, update)).map(([n]) => Number(n)));
      return targets.map((_, n) => changed.has(n));
    });

  const byIds: DocumentSource['byIds'] = (collection, ids) =>
    call(collection, async (run) => {
      const rows = await run(
        (statement) => `select ${page.documentSql(statement)}
          from ${statement.table} join ${idList(ids, statement)} on ${statement.id} = c.own`,
      );
      return pageOf(
        run,
        rows.map(([json]) => json),
      );
    });

  return {
    name,
    find: (collection, request) =>
      call(collection, async (run) => {
        const rows = await run((statement) => page.pageSql(statement, request));
        const [rank, key, id, , found] = rows.at(-1) ?? [];
        return {
          ...(await pageOf(
            run,
            rows.map(([, , , json]) => json),
          )),
          ...(Number(found) > rows.length && { next: JSON.stringify([Number(rank), key, id]) }),
        };
      }),
    ...changesBy(write, byIds),
    byIds,
    remove: (collection, ids, { archive }) =>
      call(collection, async (run) => {
        const into = quotedTable(`${collection.name}_dead_letters`);
        if (archive) {
          await run(({ table }) => `create table if not exists ${into} (like ${table})`);
          // The application may have added columns since.
          const has = `select attname from pg_attribute where attnum > 0 and not attisdropped and attrelid`;
          const rows = await run(({ add }) => `${has} = to_regclass(${add(into)})`);
          const archived = new Set(rows.map(([name]) => name));
          await run(({ types }) => {
            const added = [...types]
              .filter(([name]) => !archived.has(name))
              .map(([name, type]) => `add column if not exists ${quoted(name)} ${type}`);
            return added.length === 0 ? '' : `alter table ${into} ${added.join(', ')}`;
          });
        }
        const rows = await run((statement) => {
          const { table, id, status, types, add } = statement;
          const columns = [...types.keys()].map(quoted).join(', ');
          const copying = `, old as (delete from ${into} a using gone where a.${id} = gone.${id}),
            new as (insert into ${into} (${columns}) select ${columns} from gone)`;
          return `with gone as (delete from ${table} d using ${idList(ids, statement)}
            where d.${id} = c.own and d.${status}::text = ${add(collection.failed)} returning d.*)
            ${archive ? copying : ''} select ${id}::text from gone`;
        });
        const removed = new Set(rows.map(([own]) => own));
        return ids.map((own) => removed.has(own));
      }),
    count: (collection, set, atMost) =>
      call(collection, async (run) => {
        const [[counted] = []] = await run((statement) => {
          const all = { where: () => 'true' };
          const ranges = set.set === 'all' ? [all] : page.rangesOf(statement, set);
          const part = ({ where }: typeof all) =>
            `(select 1 from ${statement.table} where ${where()} limit ${atMost})`;
          return `select count(*) from (select 1 from (${ranges.map(part).join(' union all ')}) q limit ${atMost}) p`;
        });
        return Number(counted);
      }),
    async prepare(collection, { dryRun }) {
      const work = (session: Session) => prepareTable(session, collection, dryRun);
      if (dryRun)
        return orDocumentsError(name, collection, () => connection.use(work, DOCUMENT_TIMEOUT_MS));
      const own = connect(PREPARE_TIMEOUT_MS);
      return orDocumentsError(name, collection, () => own.use(work, PREPARE_TIMEOUT_MS)).finally(
        () => own.close(DOCUMENT_TIMEOUT_MS),
      );
    },
    close: () => connection.close(DOCUMENT_TIMEOUT_MS),
  };
}

/**
 * Writes a list in one statement, and in halves where the table refuses one of its rows, by a trigger or a constraint:
 * that row is left out. If the table refuses all of them, this rejects.
 */
async function eachWritten<T>(
  list: readonly T[],
  write: (some: readonly T[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  let refused = 0;
  const halved = async (some: readonly T[]): Promise<readonly Row[]> => {
    try {
      return await write(some);
    } catch (error) {
      // Data, integrity, and an exception that a trigger raises.
      if (!/^(?:22|23|P0001)/.test(String(Object(error).code))) throw error;
      const middle = some.length >> 1;
      if (middle > 0) {
        return [...(await halved(some.slice(0, middle))), ...(await halved(some.slice(middle)))];
      }
      refused += 1;
      if (refused === list.length) throw error;
      return [];
    }
  };
  return halved(list);
}

/** Times as texts that are the same on every server, and the application's own search path: its table may be anywhere. */
async function begin(session: Session, limitMs: number): Promise<void> {
  const [[path = null] = []] = await session.query({ text: 'show search_path' });
  await applySettings(session, limitMs);
  const text = `select set_config('search_path', $1, false), set_config('TimeZone', 'UTC', false),
    set_config('DateStyle', 'ISO', false)`;
  await session.query({ text, values: [path] });
}

/** The condition and the new values, where `d` is the document and `c` the target. */
function writeSql(statement: page.Statement, write: DocumentWrite) {
  const { collection, status, count, time, mark, now, add, cast } = statement;
  // Not as the indexes have it: the entries of all earlier pages would be read for each page.
  const isSent = `coalesce(d.${mark} ->> 'sent', '')`;
  const unchanged = `d.${status}::text = c.status and d.${count}::text is not distinct from c.count
      and d.${time}::text is not distinct from c.time`;
  const where = {
    unchanged: () => unchanged,
    unclaimed: () => `${unchanged} and ${isSent} <> 'false'`,
    claimed: () => `d.${mark} ->> 'event' = c.event and ${isSent} = 'false'`,
    failed: () => `coalesce(d.${status}::text, '') = ${add(collection.failed)}`,
  };
  const set = newValues(write, {
    status: (word) => cast(add(word), 'status'),
    count: (word) => (word === 'raised' ? `coalesce(d.${count}, 0) + 1` : `${word}`),
    time: (word) => (word === 'now' ? now : 'null'),
    mark: (change) => (change === 'none' ? 'null' : markSql(statement, change)),
    error: (word) => (word === 'given' ? 'c.error' : 'null'),
  }).map(([field, value]) => `${quoted(collection.fields[field])} = ${value}`);
  return { where: where[write.where](), set: set.join(', ') };
}

/** The mark of the document `d` after a change. */
function markSql({ mark, count, now }: page.Statement, change: MarkChange): string {
  const own = `d.${mark}`;
  const before = `case when jsonb_typeof(${own}) = 'object' then ${own} else '{}' end`;
  const counted = `coalesce(d.${count}, 0)`;
  const parts = newParts(change, (value, part) => {
    const words = {
      event: 'c.event',
      now: page.isoText(now),
      kept_or_now: `coalesce(${own} ->> '${part}', ${page.isoText(now)})`,
      next: `${counted} + 1`,
      current: counted,
    };
    return typeof value === 'string' ? words[value] : `${value}`;
  });
  const built = parts.map(([part, value]) => `'${part}', ${value}`).join(', ');
  const removed = change.remove.map((part) => `'${part}'`).join(', ');
  const kept = removed === '' ? `(${before})` : `((${before}) - array[${removed}]::text[])`;
  return `nullif(${kept} || jsonb_build_object(${built}), '{}')`;
}

/** Rows `c` of ids. */
function idList(ids: readonly string[], statement: page.Statement): string {
  const usable = JSON.stringify(ids.filter((id) => canBeId(id, statement)));
  const texts = `json_array_elements_text(${statement.add(usable)}::json) own`;
  return `(select ${statement.cast('own', 'id')} as own from ${texts}) c`;
}

/** A text that is not a value of the id's type would fail the whole statement, and no document has it. */
function canBeId(id: string, { collection, types }: Table): boolean {
  const type = types.get(collection.fields.id) ?? '';
  if (type === 'uuid') return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
  return type.endsWith('int') || type === 'integer' ? /^-?\d{1,19}$/.test(id) : !id.includes('\0');
}

async function orDocumentsError<T>(
  source: string,
  { name }: DocumentCollection,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRedriveError(error, 'documents_refused')) throw error;
    const state = isRedriveError(error) ? error.details.sqlState : undefined;
    const isFinal = postgresErrors(error, { attempt: 1, nowMs: 0 })?.errorClass === 'final';
    // A statement that took too long may be quick the next time.
    const code = isFinal && state !== '57014' ? 'documents_refused' : 'documents_unavailable';
    const advice = state === '42703' ? '. Run redrive sweep init, or correct the name' : '';
    const message = `Documents of ${name}: ${error instanceof Error ? error.message : error}${advice}`;
    throw new RedriveError(code, message, { source }, { cause: error });
  }
}
