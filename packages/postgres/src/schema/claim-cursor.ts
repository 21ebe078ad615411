import { sessionSetting } from '../connect/session-settings.ts';
import type { FastPaths } from '../fast-paths.ts';
import { CLOCK_MS } from './now.ts';

/**
 * Where to begin to look for ready jobs, so that entries of the index are not passed over again and again that are dead.
 * There are as many as jobs were claimed since the last vacuum, which comes once a minute at most; and none is removed while
 * somebody else's transaction is held open.
 *
 * It is set only by a claim from one handler, queue, priority and tenant whose look went over many pages, and is good for
 * twenty times as long as that look took, between a tenth of a second and five seconds. Then the next look goes from the
 * start: a job with an earlier place (a retry keeps its own) may wait for that time, also when nothing is behind the cursor,
 * because an idle worker would pass over all dead entries at every notice. Other queues and tenants, and higher priorities,
 * are looked for every time. It belongs to the session, and a step that is rolled back takes it with it. Before the time at
 * which it was set it is not good either: the server's clock may be set back by hours.
 */
const settingOf = (s: string): string => sessionSetting('cursor', s);

export const CURSOR_VARIABLES = `
      -- Handler, queue, priority, tenant, time of submission, and from when until when it is good.
      v_cursor text[];
      -- Where the first look for jobs begins, and whether the cursor says so.
      v_from_at bigint;
      v_by_cursor boolean := false;
      v_last_at bigint;
      v_look_began timestamptz;
      v_look_ms integer;
      v_look_pages bigint := 0;`;

/** Reads the cursor. If it is good, `k` and `v_known` are set from it. */
export function useCursorSql(s: string, { cursorJobs }: FastPaths): string {
  const other = (condition: string): string =>
    `exists (select from ${s}.jobs j where j.state = 'ready' and j.handler = l_handler[1] and ${condition})`;
  const inQueue = (condition: string): string => other(`j.queue = v_cursor[2] and ${condition}`);
  const atPriority = (condition: string): string =>
    inQueue(`j.priority = v_cursor[3]::integer and ${condition}`);
  return `
        v_cursor := string_to_array(current_setting('${settingOf(s)}', true), E'\\x01');
        if v_cursor[1] = l_handler[1] and v_cursor[6]::bigint <= ${CLOCK_MS} and v_cursor[7]::bigint > ${CLOCK_MS}
          and v_room + v_ahead >= ${cursorJobs} and v_cursor[4] <> all(v_killed_tenants) then
          select v_cursor[2] as queue, v_cursor[3]::integer as priority, v_cursor[4] as tenant, v_cursor[5]::bigint as submitted_at,
            ${other('j.queue < v_cursor[2]')} or ${other('j.queue > v_cursor[2]')}
              or ${inQueue('j.priority > v_cursor[3]::integer')} as more_queues,
            ${atPriority('j.tenant < v_cursor[4]')} or ${atPriority('j.tenant > v_cursor[4]')} as more_tenants
          into k;
          v_known := not (k.more_queues or k.more_tenants);
          v_by_cursor := v_known;
        end if;`;
}

/** Measures the look from the start. The job that it finds is the first: the next look begins there. */
export function countedLookSql(s: string, look: string): string {
  const pages = `pg_stat_get_xact_blocks_fetched('${s}.jobs_ready'::regclass)`;
  return `
          v_look_began := clock_timestamp();
          v_look_pages := ${pages};
          ${look}
          v_look_pages := ${pages} - v_look_pages;
          v_look_ms := ceil(extract(epoch from clock_timestamp() - v_look_began) * 1000);`;
}

/** After a claim from one range of the index. */
export const setCursorSql = (s: string, { cursorPages, cursorMs }: FastPaths): string => `
              if v_by_cursor or v_look_pages >= ${cursorPages} then
                v_cursor := array[l_handler[1], v_queues[1], v_priority::text, v_tenants[1], v_last_at::text,
                  case when v_by_cursor then v_cursor[6] else (${CLOCK_MS})::text end,
                  case when v_by_cursor then v_cursor[7]
                  else (${CLOCK_MS} + least(5000, greatest(${cursorMs}, 20 * v_look_ms)))::text end];
                if cardinality(string_to_array(array_to_string(v_cursor, E'\\x01'), E'\\x01')) = 7 then
                  perform set_config('${settingOf(s)}', array_to_string(v_cursor, E'\\x01'), false);
                end if;
              end if;`;

/** There may be more before it: as soon as its time is over, a claim is worth it. */
export const LOOK_LATER = `v_next := least(v_next, v_now + greatest(1, v_cursor[7]::bigint - ${CLOCK_MS}));`;
