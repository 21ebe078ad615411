import type { FastPaths } from '../fast-paths.ts';

const isLarge = (of: string, { payloadInRow }: FastPaths): string =>
  `(octet_length(${of}payload) > ${payloadInRow} or octet_length(${of}payload_bytes) > ${payloadInRow})`;

/** The SQL of a payload as the row of its job has it: null where it is large, and stands in a table of its own. */
export const inRowSql = (payload: string, { payloadInRow }: FastPaths): string =>
  `case when octet_length(${payload}) <= ${payloadInRow} then ${payload} end`;

/** Puts large payloads of new jobs into their table. `from`: rows `n` with `seq` and the columns of a payload. */
export const keepLargeSql = (s: string, from: string, fastPaths: FastPaths): string =>
  `insert into ${s}.payloads (seq, payload, payload_bytes)
            select n.seq, n.payload, n.payload_bytes from ${from} where ${isLarge('n.', fastPaths)}`;

/** The SQL of a column of a payload, wherever it stands. Most stand in the row, and cost no further look. */
export function payloadSql(s: string, column: 'payload' | 'payload_bytes'): string {
  const kept = `(select p.${column} from ${s}.payloads p where p.seq = j.seq)`;
  return column === 'payload'
    ? `coalesce(j.payload, ${kept})`
    : `case when j.payload is null then coalesce(j.payload_bytes, ${kept}) end`;
}

export function payloadFunctions(s: string, fastPaths: FastPaths): string {
  return `
    -- Puts another payload in the place of a job's. A small one is in the row of the job alone.
    create or replace function ${s}.replace_payload(p_seq bigint, p_payload text, p_payload_bytes bytea) returns void
    language plpgsql volatile as $$
    begin
      delete from ${s}.payloads where seq = p_seq;
      if ${isLarge('p_', fastPaths)} then
        insert into ${s}.payloads (seq, payload, payload_bytes) values (p_seq, p_payload, p_payload_bytes);
      end if;
    end $$;`;
}
