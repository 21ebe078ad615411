import { CLOCK_MS } from './now.ts';

/**
 * Where to begin to look for ready jobs, so that entries of the index are not passed over again and again that are dead
 * and cannot be removed yet. While somebody else's transaction is held open there are as many as jobs were claimed since.
 *
 * It is set only after a look that took long, by a claim of many jobs of one handler, queue, priority and tenant, and is
 * good for ten times as long as that look took, two seconds at most. Then the next look goes from the start: a job with
 * an earlier place (a retry keeps its own) may wait for so long. Other queues and tenants, and higher priorities, are
 * looked for every time. It belongs to the session, and a step that is rolled back takes it with it. Before the time at
 * which it was set it is not good either: the server's clock may be set back by hours.
 */
const SETTING = 'redrive.cursor';
/** A look that took so many milliseconds has passed over thousands of entries. */
const SLOW_MS = 4;
/** It is for claims of many jobs; others go from the start. */
const LEAST_JOBS = 64;

export const CURSOR_VARIABLES = `
      -- Handler, queue, priority, tenant, time of submission, and from when until when it is good.
      v_cursor text[];
      v_from_at bigint;
      v_last_at bigint;
      v_look_began timestamptz;
      v_look_ms integer := 0;`;

/** Reads the cursor. If it is good, `k`, `v_known` and `v_from_at` are set from it. */
export function useCursorSql(s: string): string {
  const other = (condition: string): string =>
    `exists (select from ${s}.jobs j where j.state = 'ready' and j.handler = l_handler[1] and ${condition})`;
  const inQueue = (condition: string): string => other(`j.queue = v_cursor[2] and ${condition}`);
  const atPriority = (condition: string): string =>
    inQueue(`j.priority = v_cursor[3]::integer and ${condition}`);
  return `
        v_cursor := string_to_array(current_setting('${SETTING}', true), E'\\x01');
        if v_cursor[1] = l_handler[1] and v_cursor[6]::bigint <= ${CLOCK_MS} and v_cursor[7]::bigint > ${CLOCK_MS}
          and v_room + v_ahead >= ${LEAST_JOBS} and v_cursor[4] <> all(v_killed_tenants) then
          select v_cursor[2] as queue, v_cursor[3]::integer as priority, v_cursor[4] as tenant,
            ${other('j.queue < v_cursor[2]')} or ${other('j.queue > v_cursor[2]')}
              or ${inQueue('j.priority > v_cursor[3]::integer')} as more_queues,
            ${atPriority('j.tenant < v_cursor[4]')} or ${atPriority('j.tenant > v_cursor[4]')} as more_tenants
          into k;
          v_known := not (k.more_queues or k.more_tenants);
          if v_known then
            v_from_at := v_cursor[5]::bigint;
          end if;
        end if;`;
}

/** Around the look from the start. */
export const BEGIN_LOOK = 'v_look_began := clock_timestamp();';
export const END_LOOK =
  'v_look_ms := ceil(extract(epoch from clock_timestamp() - v_look_began) * 1000);';

/** After a claim from one range of the index. */
export const SET_CURSOR = `
              if v_from_at is not null or (v_look_ms >= ${SLOW_MS} and v_taken >= ${LEAST_JOBS}) then
                v_cursor := array[l_handler[1], v_queues[1], v_priority::text, v_tenants[1], v_last_at::text,
                  case when v_from_at is not null then v_cursor[6] else (${CLOCK_MS})::text end,
                  case when v_from_at is not null then v_cursor[7]
                  else (${CLOCK_MS} + least(2000, greatest(100, 10 * v_look_ms)))::text end];
                if cardinality(string_to_array(array_to_string(v_cursor, E'\\x01'), E'\\x01')) = 7 then
                  perform set_config('${SETTING}', array_to_string(v_cursor, E'\\x01'), false);
                end if;
              end if;`;

/** It led past jobs that are before it: no more of it, until a look is slow again. */
export const DROP_CURSOR = `perform set_config('${SETTING}', '', false);`;
