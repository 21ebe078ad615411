import type { FastPaths } from '../fast-paths.ts';
import { joinRecords } from './audit-sql.ts';
import { CLAIM, lookAtOneSql, lookSql } from './claim-candidates.ts';
import { countedLookSql, LOOK_LATER, setCursorSql, useCursorSql } from './claim-cursor.ts';
import { CLAIM_PARAMETERS, CLAIM_VARIABLES } from './claim-variables.ts';
import { answerSql, CLAIMED_COLUMNS, claimedSql } from './claimed-columns.ts';
import { listed } from './columns.ts';
import { KILL_LOCK } from './control-functions.ts';
import { NOW } from './now.ts';
import { setSql, transitionGroupsSql } from './transition-sql.ts';

/** Due jobs that one claim makes ready: some more than it takes, so that a backlog of them does not slow it down. */
const PROMOTIONS = 'least(greatest(16, 2 * (c_limit + c_ahead)), 1000)';
/** How often one claim looks for candidates, however lanes and keys fill up meanwhile. */
const MAX_LOOKS = 24;

/**
 * A claim that has no room left and has met as many jobs that may not be claimed ahead looks for no others behind them: there
 * may be as many as the queue holds.
 */
const MAX_PASSED = 200;

/** The candidates that are taken. */
const TAKEN = 'unnest(v_tids[1:v_taken], v_lane_of[1:v_taken]) as a(tid, lane)';

/**
 * Takes ready jobs in the order of the queue. Priority after priority, it looks which tenants have ready jobs, beginning
 * with the tenant whose turn it is. It locks enough jobs of each tenant to fill the room, and leases as many of them, in
 * turn, as can be taken. If one cannot be taken (its lane is full, its key is used up), it looks again from the
 * same tenant on, without the jobs that cannot be taken. Most claims take all their jobs at the first look.
 *
 * It ends its step: `p_records` are the records of the step's settlements and new jobs.
 */
export function claimFunction(s: string, fastPaths: FastPaths): string {
  const columns = listed([
    'null',
    'null',
    ...CLAIMED_COLUMNS.map((column) => claimedSql(column, s)),
  ]);
  const firstLook = `select h.queue, h.priority, h.tenant, h.submitted_at,
            exists (select from ${s}.jobs j where j.state = 'ready' and j.handler = l_handler[1] and j.queue > h.queue)
              as more_queues,
            exists (select from ${s}.jobs j where j.state = 'ready' and j.handler = l_handler[1] and j.queue = h.queue
              and j.priority = h.priority and j.tenant > h.tenant) as more_tenants
          into k
          from (
            select j.queue, j.priority, j.tenant, j.submitted_at from ${s}.jobs j
            where j.state = 'ready' and j.handler = l_handler[1]
            order by j.queue, j.priority desc, j.tenant, j.submitted_at, j.id limit 1) h;`;
  const answer = (kind: string, meta: string): string => answerSql(s, kind, meta);
  return `
    create or replace function ${s}.claim(
      p_now bigint, p_seq bigint, p_writer text, p_records text,
      ${CLAIM_PARAMETERS}
    ) returns setof ${s}.answer language plpgsql volatile as $$
    declare
      v_records text := p_records;
      ${CLAIM_VARIABLES}
    begin
      v_now := ${NOW};
      select j.due_at into v_next from ${s}.jobs j where j.state = 'scheduled' and j.due_at is not null order by j.due_at limit 1;
      if v_next <= v_now then
        v_more := ${s}.promote(v_now, ${PROMOTIONS}) = ${PROMOTIONS};
        select j.due_at into v_next from ${s}.jobs j where j.state = 'scheduled' and j.due_at is not null order by j.due_at limit 1;
      end if;
      ${readStopsSql(s)}

      -- Most claims are for one handler, which has jobs in one queue, of one tenant: three looks into the index show it.
      if cardinality(l_handler) = 1 and not v_stopped and c_only is null then
        ${useCursorSql(s, fastPaths)}
        if v_by_cursor then
          v_open := true;
        else
          ${countedLookSql(s, firstLook)}
          v_known := not found or not (k.more_queues or k.more_tenants);
          v_open := found;
        end if;
        if k.tenant = any(v_killed_tenants) then
          -- There may be others at lower priorities.
          v_known := false;
        end if;
        v_open := v_open and l_handler[1] <> all(v_paused_handlers) and k.queue <> all(v_paused_queues)
          and (c_queues is null or k.queue = any(c_queues));
        v_from_at := case when v_known then k.submitted_at end;
      end if;

      <<passes>>
      for v_pass in 1..2 loop
        exit passes when v_stopped;
        if c_only is not null then
          -- Two lanes, because the statements for one lane do not serve a list of ids.
          v_lanes := array[0, 0];
        elsif v_known then
          v_lanes := case when v_open then array[1] end;
          v_handlers := l_handler;
          v_queues := array[k.queue];
        else
          select l.lanes, l.handlers, l.queues into v_lanes, v_handlers, v_queues
          from ${s}.open_lanes(l_handler, c_queues, v_paused_handlers, v_paused_queues) l;
        end if;

        v_priority := null;
        <<levels>>
        while v_lanes is not null loop
          if c_only is not null then
            -- All priorities at once.
            v_priority := case when v_priority is null then 0 end;
          elsif v_known then
            v_priority := k.priority;
          else
            select max(h.priority) into v_priority
            from unnest(v_handlers, v_queues) as p(handler, queue) cross join lateral (
              select j.priority from ${s}.jobs j
              where j.state = 'ready' and j.handler = p.handler and j.queue = p.queue
                and j.priority < coalesce(v_priority, 2147483647)
              order by j.priority desc limit 1) h;
          end if;
          exit levels when v_priority is null;
          v_from := c_after;
          v_inclusive := false;
          v_passed := v_killed_tenants;

          <<looks>>
          loop
            exit passes when v_ahead = 0 and (v_room = 0 and v_more or v_room > 0 and 0 = all(v_lane_room));
            v_looks := v_looks + 1;
            if v_looks > ${MAX_LOOKS} then
              v_more := true;
              exit passes;
            end if;
            if v_looks > 1 then
              v_from_at := null;
              v_by_cursor := false;
            end if;
            v_any_suspect := true;
            -- One more than there is room for: whether there are more is part of the answer.
            v_need := v_room + v_ahead + 1;
            if c_only is not null then
              v_tenants := array[''];
            elsif v_known then
              v_tenants := array[k.tenant];
              v_known := false;
            else
              v_tenants := ${s}.tenants_in_turn(v_handlers, v_queues, v_priority, v_from, v_inclusive, v_need, v_passed);
            end if;
            if v_tenants is null then
              -- All that is here is stopped by a kill switch, or was looked at. That was no look: there may be many such priorities.
              v_looks := v_looks - 1;
              exit looks;
            end if;
            v_quota := (v_need + cardinality(v_tenants) - 1) / cardinality(v_tenants);

            if c_only is not null then
              v_quota := cardinality(c_only) + 1;
              ${lookSql(s, 'candidates_by_id', 'c_only, l_handler, c_queues, v_paused_handlers, v_paused_queues, v_killed_tenants, v_lane_room, c_limit = 0')}
              exit passes when v_tids is null;
            -- One index range. After the first look, a lane without room needs the other way: it looks for safe jobs only.
            elsif cardinality(v_tenants) = 1 and cardinality(v_lanes) = 1
              and (v_looks = 1 or least(v_room, v_lane_room[v_lanes[1]]) > 0) then
              v_max_losses := case when v_pass_suspects then c_max_losses end;
              ${lookAtOneSql(s)}
            else
              ${lookSql(s, 'candidates_in_turn', 'v_lanes, v_handlers, v_queues, v_priority, v_tenants, v_quota, v_lane_room, v_room, v_ahead, v_more')}
            end if;

            if v_tids is null and v_by_cursor then
              -- Nothing behind that place.
              ${LOOK_LATER}
              exit looks;
            end if;
            if v_tids is null then
              -- All of them are taken by somebody else, or late. There may be others behind them.
              exit looks when cardinality(v_tenants) < v_need;
              v_passed := v_passed || v_tenants;
              v_from := v_tenants[cardinality(v_tenants)];
              v_inclusive := false;
              continue looks;
            end if;

            v_key_lanes := null;
            v_keys := null;
            v_key_rooms := null;
            if v_any_key then
              select r.lanes, r.keys, r.rooms, r.used_up, v_more or r.busy
              into v_key_lanes, v_keys, v_key_rooms, v_used_up, v_more
              from ${s}.key_rooms(l_handler, l_per_key, v_lane_of, v_key_of) r;
              v_excluded := v_excluded || v_used_up;
              continue looks when v_used_up is not null;
            end if;
            if not v_all_safe and v_any_suspect and not v_pass_suspects then
              v_suspects := ${s}.suspects(v_tids, c_max_losses);
              v_pass_suspects := v_suspects is not null;
              continue looks when v_pass_suspects;
            end if;

            if not v_any_key and cardinality(v_lanes) = 1 then
              v_normal := least(cardinality(v_tids), v_room, v_lane_room[v_lanes[1]]);
              v_taken := least(cardinality(v_tids), v_normal + v_ahead);
              if not v_all_safe and v_taken > v_normal then
                -- Only safe ones are taken ahead.
                v_taken := least(v_taken, array_position(v_safe_of, false, v_normal + 1) - 1);
              end if;
              v_lane_room[v_lanes[1]] := v_lane_room[v_lanes[1]] - v_normal;
            else
              select t.taken, t.normal, t.lane_room into v_taken, v_normal, v_lane_room from ${s}.count_taken(
                v_lane_of, v_key_of, v_safe_of, v_key_lanes, v_keys, v_key_rooms, v_lane_room, v_room, v_ahead) t;
            end if;

            if v_taken > 0 then
              -- Now that they are locked: a lease that counts from before may be born expired.
              v_now := ${NOW};
              v_first_now := coalesce(v_first_now, v_now);
              -- The records are made from the rows before the update.
              v_records := ${joinRecords(
                'v_records',
                transitionGroupsSql(s, 'claim', CLAIM, {
                  detail: 'l_detail[a.lane]',
                  rows: `${TAKEN} join ${s}.jobs j on j.ctid = a.tid`,
                }),
              )};
              return query
                update ${s}.jobs j set
                  ${setSql('claim', CLAIM)}
                from ${TAKEN}
                where j.ctid = a.tid
                returning ${columns};
              get diagnostics v_updated = row_count;
              if v_updated <> v_taken then
                raise exception 'Locked % jobs and found % of them', v_taken, v_updated using errcode = '40001';
              end if;
              v_room := v_room - v_normal;
              v_ahead := v_ahead - (v_taken - v_normal);
            end if;

            if v_looks = 1 and v_taken > 0 and cardinality(v_tenants) = 1 and cardinality(v_lanes) = 1 then
              ${setCursorSql(s, fastPaths)}
            end if;

            if v_taken < cardinality(v_tids) then
              -- One could not be taken. Its tenant's turn goes to the tenant's next one.
              if v_room = 0 then v_more := true; end if;
              exit passes when v_room = 0 and (v_ahead = 0
                or cardinality(array_positions(v_safe_of[v_taken + 1:], false)) >= ${MAX_PASSED});
              v_from := v_tenant_of[v_taken + 1];
              v_inclusive := true;
            elsif v_rounds < v_quota then
              if v_by_cursor then
                ${LOOK_LATER}
              end if;
              exit looks;
            end if;
          end loop;
        end loop;
        -- No ready job is left. Held jobs may be claimable: their limit was raised, or the job released before them was cancelled.
        exit passes when v_room = 0 or c_only is not null
          or not exists (select from ${s}.jobs j where j.state = 'held' and j.limit_key is not null and j.handler = any(l_handler))
          or ${s}.release_free_keys(l_handler, l_per_key) = 0;
        v_known := false;
      end loop;
      if v_suspects is not null then
        ${answer('suspects', 'v_suspects::text')}
      end if;
      ${answer('claim', "concat(v_more, ',', v_now, ',', v_next, ',', v_first_now)")}
      return query select * from ${s}.end_step(p_now, p_seq, p_writer, v_records);
    end $$;`;
}

/**
 * Reads the pauses and kill switches, which keep ready jobs from being claimed.
 *
 * No claim that has not seen a kill switch is committed after it. So a claim shares a lock with all others until its commit,
 * and reads the switches in a statement of its own afterwards, which sees all that was committed before it had the lock.
 * An act that engages a switch waits until it has the lock alone. Meanwhile claims take nothing: they do not wait, because
 * settlements of the same step and of the next ones would wait with them.
 */
export function readStopsSql(s: string): string {
  return `
      if not pg_try_advisory_xact_lock_shared(${KILL_LOCK(s)}) then
        v_stopped := true;
        v_more := true;
      end if;
      select p.queues, p.handlers, p.tenants, v_stopped or p.everything
      into v_paused_queues, v_paused_handlers, v_killed_tenants, v_stopped from ${s}.stops p;`;
}
