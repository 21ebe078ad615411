import { sessionSetting } from '../connect/session-settings.ts';

/** SQL expressions of the values of one audit record, in its order. */
export interface RecordSql {
  readonly id: string;
  readonly revision: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly token: string;
  readonly generation: string;
  readonly executions: string;
  readonly previousBlock: string;
  /** Text of a JSON object. */
  readonly detail: string;
}

/** The separator of two records of a body. */
export const RECORD_SEPARATOR = "E',\\n'";

/** The SQL of two lists of records as one. Either may be null or empty. */
export function joinRecords(first: string, second: string): string {
  return `concat_ws(${RECORD_SEPARATOR}, nullif(${first}, ''), nullif(${second}, ''))`;
}

/**
 * The SQL of one audit record as it stands in a block's body, null where audit is off (`p_seq` is null). There is one for
 * every change of a job: values that all records share are one constant, because each argument costs as much as any other.
 */
export function recordSql(of: RecordSql): string {
  return `case when p_seq is not null then concat_ws(',', '[' || to_json(${of.id})::text, ${of.revision},
            ${changeSql(of)}, ${of.at}, ${of.token}, ${of.generation}, ${of.executions}, ${of.previousBlock},
            ${of.detail} || ']') end`;
}

/** Separates the detail that records share from the values of each one: see `RecordDetail`. JSON has no such character. */
export const OWN_SEPARATOR = '\u0002';

/**
 * Details may begin with a detail that is not repeated: it stands between two of these characters, and jobs that have it
 * send an empty text in its place.
 */
export const SHARED = '\u0003';
export const SHARED_MARK = "E'\\x03'";

/**
 * The SQL of the records of many rows, in groups as `BlockRecords` of durable makes them; null where audit is off or
 * there is no row. `rows` is the `from` item that the expressions name. Values that name no row stand there as they are;
 * of the others each array is built once per group, which costs a fifth of a text per row. `shared`: SQL of the detail of
 * rows that have none but their own values; the details of all rows may have values of their own then.
 */
export function recordGroupsSql(s: string, of: RecordSql, rows: string, shared?: string): string {
  const ofRow = (sql: string): boolean => /\w\./.test(sql);
  const part = (at: 1 | 2): string => `split_part(${of.detail}, E'\\x02', ${at})`;
  const key = shared === undefined ? of.detail : part(1);
  const keys = [of.event, of.from, of.to, of.at, key].filter(ofRow);
  const column = (sql: string): string =>
    ofRow(sql) ? `${s}.alike(array_agg((${sql})::bigint))` : sql;
  const fields = [
    `array_to_json(array_agg(${of.id}))`,
    column(of.revision),
    changeSql(of),
    of.at,
    column(of.token),
    column(of.generation),
    column(of.executions),
    column(of.previousBlock),
    ...(shared === undefined
      ? [key]
      : [
          `coalesce(nullif(${key}, ''), ${shared})`,
          `'[' || string_agg(nullif(${part(2)}, ''), ',') || ']'`,
        ]),
  ];
  return `case when p_seq is not null then (
          select string_agg('[' || r.fields || ']', ${RECORD_SEPARATOR}) from (
            select concat_ws(',', ${fields.join(', ')}) as fields
            from ${rows}${keys.length === 0 ? '' : ` group by ${keys.join(', ')}`} having count(*) > 0) r) end`;
}

/** The SQL of event and states, which is one constant where all of them are. */
function changeSql({ event, from, to }: RecordSql): string {
  const change = [event, from, to].map(quoted);
  return change.every((sql) => sql.startsWith("'"))
    ? `'${change.map((sql) => sql.slice(1, -1)).join(',')}'`
    : change.join(', ');
}

/** The SQL of a word in quotes, which is a constant where the word is one. */
function quoted(word: string): string {
  if (word === 'null') return "'null'";
  const [, constant] = /^'(\w+)'$/.exec(word) ?? [];
  return constant === undefined ? `concat('"', ${word}, '"')` : `'"${constant}"'`;
}

/**
 * Writes a block of the chain that this server session writes, and makes it the chain's head. Name and head of the chain
 * are a setting of the session: no commit waits for another one's, a rollback restores the head, and the next step may be
 * on its way before this one is answered. The chain belongs to the session and not to its client, so a pooler that gives
 * the session to another client breaks no chain: the new client goes on with it. (In plpgsql: a function in SQL is planned
 * anew at every call.)
 */
export function writeBlockFunction(s: string): string {
  const chain = sessionSetting('chain', s);
  return `
    create or replace function ${s}.write_block(p_seq bigint, p_at bigint, p_writer text, p_records text) returns void
    language plpgsql volatile as $$
    declare
      v_chain text := coalesce(nullif(current_setting('${chain}', true), ''), concat(p_writer, '.', p_seq, ' '));
      v_writer text := split_part(v_chain, ' ', 1);
      v_head text := split_part(v_chain, ' ', 2);
      v_body text := concat('[', p_records, ']');
      v_hash text := encode(sha256(convert_to(concat(v_head, E'\\n', v_body), 'UTF8')), 'hex');
    begin
      insert into ${s}.audit_blocks (seq, at, epoch, writer, prev_hash, hash, body)
      values (p_seq, p_at, (select e.epoch from ${s}.epochs e), v_writer, v_head, v_hash, v_body);
      perform set_config('${chain}', concat(v_writer, ' ', v_hash), false);
    end $$;

    -- The number that all of them are, or a JSON array of them.
    create or replace function ${s}.alike(p_numbers bigint[]) returns text language plpgsql immutable as $$
    begin
      return case when p_numbers[1] = all(p_numbers) then p_numbers[1]::text else array_to_json(p_numbers)::text end;
    end $$;

    -- A block outside of every chain.
    create or replace function ${s}.write_leaf(p_seq bigint, p_at bigint, p_records text) returns void
    language plpgsql volatile as $$
    declare
      v_body text := concat('[', p_records, ']');
    begin
      insert into ${s}.audit_blocks (seq, at, epoch, writer, prev_hash, hash, body)
      values (p_seq, p_at, (select e.epoch from ${s}.epochs e), 'leaf', '', encode(sha256(convert_to(concat(E'\\n', v_body), 'UTF8')), 'hex'), v_body);
    end $$;`;
}
