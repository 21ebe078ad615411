-- Takes ready jobs in the order of the queue. Priority after priority, it looks which tenants have ready jobs, beginning with
-- the tenant whose turn it is. It locks enough jobs of each tenant to fill the room, and leases as many of them, in turn, as
-- can be taken. If one cannot be taken (its lane is full, its key is used up), it looks again from the same tenant on,
-- without the jobs that cannot be taken. Most claims take all their jobs at the first look.
--
-- Its questions are functions of their own: first_range (where the ready jobs of the only handler begin), open_lanes (which
-- lanes), tenants_in_turn (whose turn), candidates_in_turn and candidates_by_id (which candidates), key_rooms, suspects and
-- count_taken (how many of them). The call of a function costs about 15 µs, so what every claim does is part of the claim.
--
-- It ends its step: p_records are the records of the step's settlements and new jobs.
create or replace function redrive.claim(
  p_now bigint, p_seq bigint, p_writer text, p_records text,
  c_worker text, c_lease bigint, c_limit integer, c_ahead integer, c_queues text[], c_after text, c_max_losses integer,
  c_only text[], c_alone boolean, c_rates text,
  l_handler text[], l_limit integer[], l_policy_hash text[], l_max_attempts integer[], l_per_key integer[], l_detail text[]
) returns setof redrive.answer language plpgsql volatile as $$
declare
  -- How often one claim looks for candidates, however lanes and keys fill up meanwhile.
  max_looks constant integer := 24;
  -- A claim that has no room left and has met as many jobs that may not be claimed ahead looks for no others behind them:
  -- there may be as many as the queue holds.
  max_passed constant integer := 200;
  -- The most jobs above a rate that one claim takes out of the way: a bound on its time.
  max_held constant integer := 2000;
  v_records text := p_records;
  v_now bigint;
  v_first_now bigint;
  v_next bigint;
  v_promoted integer;
  v_more boolean := false;
  v_room integer := c_limit;
  v_ahead integer := c_ahead;
  v_lane_room integer[] := l_limit;
  v_paused_queues text[];
  v_paused_handlers text[];
  v_killed_tenants text[];
  v_stopped boolean;
  -- Killed tenants, and tenants without a job that can be taken at this priority: they get no further turn.
  v_passed text[];
  -- Handlers and queues to claim from, and the numbers of their lanes.
  v_lanes integer[];
  v_handlers text[];
  v_queues text[];
  -- Where the ready jobs of the only handler begin; whether all of the first priority are there, and may be claimed.
  v_first record;
  v_pages bigint := 0;
  v_known boolean := false;
  v_open boolean;
  -- The cursor, where the first look begins with it.
  v_cursor text[];
  v_excluded text[] := '{}';
  v_priority integer;
  v_looks integer := 0;
  v_from text;
  v_inclusive boolean;
  v_need integer;
  v_tenants text[];
  v_quota integer;
  v_rounds integer;
  -- Candidates, in order.
  v_tids tid[];
  v_lane_of integer[];
  v_key_of text[];
  v_safe_of boolean[];
  v_tenant_of text[];
  v_all_safe boolean;
  v_any_key boolean;
  v_any_suspect boolean;
  v_max_losses integer;
  -- Room of the limit keys among them.
  v_key_lanes integer[];
  v_keys text[];
  v_key_rooms integer[];
  v_used_up text[];
  -- Jobs that were passed over because of their losses, and whether no more of them are looked at.
  v_suspects json;
  v_pass_suspects boolean := false;
  v_taken integer;
  v_updated integer;
  v_normal integer;
  -- Where the first look for jobs begins.
  v_from_at bigint;
  v_last_at bigint;
  v_answer redrive.answer;
  -- Its rates, those that another claim counts just now, and what they let start.
  v_rates text;
  v_busy_rates text;
  v_kept integer[];
  v_closed_handlers text[];
  v_closed_queues text[];
  v_held integer;
  v_start_at bigint;
  v_rate_next bigint;
  -- More candidates than there is room for, because many were above a rate.
  v_widen integer := 0;
  v_all_held integer := 0;
begin
  v_now := coalesce(p_now, redrive.clock_ms());
  select j.due_at into v_next from redrive.jobs j where j.state = 'scheduled' and j.due_at is not null order by j.due_at limit 1;
  if v_next <= v_now then
    -- Some more than it takes, so that a backlog of them does not slow it down.
    v_promoted := least(greatest(16, 2 * (c_limit + c_ahead)), 1000);
    v_more := redrive.promote(v_now, v_promoted) = v_promoted;
    select j.due_at into v_next from redrive.jobs j where j.state = 'scheduled' and j.due_at is not null order by j.due_at limit 1;
  end if;

  -- No claim that has not seen a kill switch is committed after it. So a claim shares a lock with all others until its commit,
  -- and reads the switches in a statement of its own afterwards, which sees all that was committed before it had the lock.
  -- An act that engages a switch waits until it has the lock alone. Meanwhile claims take nothing: they do not wait, because
  -- settlements of the same step and of the next ones would wait with them.
  v_stopped := not pg_try_advisory_xact_lock_shared(hashtextextended('redrive kill', 13));
  v_more := v_more or v_stopped;
  select p.queues, p.handlers, p.tenants, v_stopped or p.everything
  into v_paused_queues, v_paused_handlers, v_killed_tenants, v_stopped from redrive.stops p;

  if exists (select from redrive.rates r where r.look_at < v_now - 10000) then
    perform redrive.tidy_rates(v_now);
  end if;
  if c_rates is not null and not v_stopped then
    select b.mine, b.busy into v_rates, v_busy_rates from redrive.begin_rates(c_rates, v_now) b;
  end if;

  if cardinality(l_handler) = 1 and not v_stopped and c_only is null then
    v_first := redrive.first_range(l_handler[1], v_room + v_ahead, v_killed_tenants);
    v_cursor := v_first.cursor;
    v_pages := v_first.pages;
    -- Of a tenant that is stopped: there may be others at lower priorities.
    v_known := v_first.only_range and coalesce(v_first.tenant <> all(v_killed_tenants), true);
    v_open := v_first.queue is not null and l_handler[1] <> all(v_paused_handlers)
      and v_first.queue <> all(v_paused_queues) and (c_queues is null or v_first.queue = any(c_queues));
    v_from_at := case when v_known then v_first.submitted_at end;
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
      v_queues := array[v_first.queue];
    else
      select l.lanes, l.handlers, l.queues into v_lanes, v_handlers, v_queues
      from redrive.open_lanes(l_handler, c_queues, v_paused_handlers, v_paused_queues) l;
    end if;

    v_priority := null;
    <<levels>>
    while v_lanes is not null loop
      if c_only is not null then
        -- All priorities at once.
        v_priority := case when v_priority is null then 0 end;
      elsif v_known then
        v_priority := v_first.priority;
      else
        select max(h.priority) into v_priority
        from unnest(v_handlers, v_queues) as p(handler, queue) cross join lateral (
          select j.priority from redrive.jobs j
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
        if v_looks > max_looks then
          v_more := true;
          exit passes;
        end if;
        if v_looks > 1 then
          v_from_at := null;
          v_cursor := null;
        end if;
        v_any_suspect := true;
        -- One more than there is room for: whether there are more is part of the answer.
        v_need := v_room + v_ahead + 1 + v_widen;
        if c_only is not null then
          v_tenants := array[''];
        elsif v_known then
          v_tenants := array[v_first.tenant];
          v_known := false;
        else
          v_tenants := redrive.tenants_in_turn(v_handlers, v_queues, v_priority, v_from, v_inclusive, v_need, v_passed);
        end if;
        if v_tenants is null then
          -- All that is here is stopped by a kill switch, or was looked at. That was no look: there may be many such priorities.
          v_looks := v_looks - 1;
          exit looks;
        end if;
        v_quota := (v_need + cardinality(v_tenants) - 1) / cardinality(v_tenants);

        if c_only is not null then
          v_quota := cardinality(c_only) + 1;
          select c.tids, c.lanes, c.keys, c.safe, c.tenants, c.all_safe, c.any_key, c.rounds, c.last_at
          into v_tids, v_lane_of, v_key_of, v_safe_of, v_tenant_of, v_all_safe, v_any_key, v_rounds, v_last_at
          from redrive.candidates_by_id(
            v_now, p_seq, v_excluded, case when v_pass_suspects then c_max_losses end, v_now + 2 /* LEASES_UNTIL_TAKEN */ * c_lease,
            c_only, l_handler, c_queues, v_paused_handlers, v_paused_queues, v_killed_tenants, v_lane_room, c_limit = 0) c;
          exit passes when v_tids is null;
        -- One index range. After the first look, a lane without room needs the other way: it looks for safe jobs only.
        elsif cardinality(v_tenants) = 1 and cardinality(v_lanes) = 1
          and (v_looks = 1 or least(v_room, v_lane_room[v_lanes[1]]) > 0) then
          -- Most claims need no other look, so it is part of the claim and no function of its own.
          v_max_losses := case when v_pass_suspects then c_max_losses end;
          select array_agg(c.tid), array_agg(c.limit_key), array_agg(c.safe), bool_and(c.safe),
            bool_or(c.limit_key is not null), bool_or(c.losses > c_max_losses), count(*), max(c.submitted_at)
          into v_tids, v_key_of, v_safe_of, v_all_safe, v_any_key, v_any_suspect, v_rounds, v_last_at
          from (
            select j.ctid as tid, j.submitted_at, j.limit_key, redrive.losses(j.lease_lost, j.account) as losses,
              redrive.losses(j.lease_lost, j.account) = 0
                and (j.deadline is null or j.deadline > v_now + 2 /* LEASES_UNTIL_TAKEN */ * c_lease) as safe
            from redrive.jobs j
            where j.state = 'ready' and j.handler = v_handlers[1] and j.queue = v_queues[1]
              and j.priority = v_priority and j.tenant = v_tenants[1]
              and j.submitted_at >= coalesce(v_from_at, -9223372036854775808)
              and (j.deadline is null or j.deadline > v_now) and j.audit_block <= coalesce(p_seq, 9223372036854775807)
              and (j.limit_key is null or concat(j.handler, E'\x01', j.limit_key) <> all(v_excluded))
              and (v_max_losses is null or redrive.losses(j.lease_lost, j.account) <= v_max_losses)
            order by j.submitted_at, j.id limit v_quota for update of j skip locked) c;
          v_lane_of := array_fill(v_lanes[1], array[v_rounds]);
          v_tenant_of := array_fill(v_tenants[1], array[v_rounds]);
        else
          select c.tids, c.lanes, c.keys, c.safe, c.tenants, c.all_safe, c.any_key, c.rounds, c.last_at
          into v_tids, v_lane_of, v_key_of, v_safe_of, v_tenant_of, v_all_safe, v_any_key, v_rounds, v_last_at
          from redrive.candidates_in_turn(
            v_now, p_seq, v_excluded, case when v_pass_suspects then c_max_losses end, v_now + 2 /* LEASES_UNTIL_TAKEN */ * c_lease,
            v_lanes, v_handlers, v_queues, v_priority, v_tenants, v_quota, v_lane_room, v_room, v_ahead + v_widen, v_more) c;
        end if;

        if v_tids is null and v_cursor is not null then
          -- Nothing behind that place. There may be more before it: as soon as its time is over, a claim is worth it.
          v_next := least(v_next, v_now + greatest(1, v_cursor[7]::bigint - redrive.clock_ms()));
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

        if c_rates is not null then
          select k.kept, k.closed_handlers, k.closed_queues, k.held, k.next_at
          into v_kept, v_closed_handlers, v_closed_queues, v_held, v_start_at
          from redrive.keep_rates(v_rates, v_busy_rates, v_tids, v_now) k;
          v_rate_next := least(v_rate_next, v_start_at);
          v_more := v_more or (v_busy_rates is not null and v_closed_handlers is not null);
          v_all_held := v_all_held + v_held;
          v_more := v_more or v_all_held >= max_held;
          v_widen := case when v_held > 0 then least(greatest(0, max_held - v_all_held), 10 * (v_held + v_widen)) else v_widen end;
          if coalesce(cardinality(v_kept), 0) < cardinality(v_tids) then
            select array_agg(v_tids[k.place] order by k.ord), array_agg(v_lane_of[k.place] order by k.ord),
              array_agg(v_key_of[k.place] order by k.ord), array_agg(v_safe_of[k.place] order by k.ord),
              array_agg(v_tenant_of[k.place] order by k.ord), bool_and(v_safe_of[k.place]), bool_or(v_key_of[k.place] is not null)
            into v_tids, v_lane_of, v_key_of, v_safe_of, v_tenant_of, v_all_safe, v_any_key
            from unnest(v_kept) with ordinality as k(place, ord);
          end if;
          if v_tids is null then
            exit passes when c_only is not null or v_all_held >= max_held;
            select array_agg(l.lane), array_agg(l.handler), array_agg(l.queue) into v_lanes, v_handlers, v_queues
            from redrive.lanes_without(v_lanes, v_handlers, v_queues, v_closed_handlers, v_closed_queues) l;
            exit levels when v_lanes is null;
            continue looks;
          end if;
        end if;

        v_key_lanes := null;
        v_keys := null;
        v_key_rooms := null;
        if v_any_key then
          select r.lanes, r.keys, r.rooms, r.used_up, v_more or r.busy
          into v_key_lanes, v_keys, v_key_rooms, v_used_up, v_more
          from redrive.key_rooms(l_handler, l_per_key, v_lane_of, v_key_of) r;
          v_excluded := v_excluded || v_used_up;
          continue looks when v_used_up is not null;
        end if;
        if not v_all_safe and v_any_suspect and not v_pass_suspects then
          v_suspects := redrive.suspects(v_tids, c_max_losses);
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
          select t.taken, t.normal, t.lane_room into v_taken, v_normal, v_lane_room from redrive.count_taken(
            v_lane_of, v_key_of, v_safe_of, v_key_lanes, v_keys, v_key_rooms, v_lane_room, v_room, v_ahead) t;
        end if;

        if v_taken > 0 then
          -- Now that they are locked: a lease that counts from before may be born expired.
          v_now := coalesce(p_now, redrive.clock_ms());
          v_first_now := coalesce(v_first_now, v_now);
          if v_rates is not null then
            perform redrive.spend_rates(v_rates, v_tids[1:v_taken], v_now);
          end if;
          -- The records are made from the rows before the update.
          -- made: claim records
          v_records := concat_ws(E',\n', nullif(v_records, ''), nullif(case when p_seq is not null then (
            select string_agg('[' || r.fields || ']', E',\n') from (
            select concat_ws(',', array_to_json(array_agg(j.id)), redrive.alike(array_agg((j.revision + 1)::bigint)), '"claim","ready","leased"', v_now, redrive.alike(array_agg((j.token + 1)::bigint)), redrive.alike(array_agg((j.generation)::bigint)), redrive.alike(array_agg((j.executions + 1)::bigint)), redrive.alike(array_agg((j.audit_block)::bigint)), l_detail[a.lane]) as fields
            from unnest(v_tids[1:v_taken], v_lane_of[1:v_taken]) as a(tid, lane) join redrive.jobs j on j.ctid = a.tid group by l_detail[a.lane] having count(*) > 0) r) end, ''));
          -- end
          return query
            update redrive.jobs j set
              -- made: claim set
              state = 'leased', revision = j.revision + 1, audit_block = coalesce(p_seq, 0), token = j.token + 1,
                generation_at = case when j.claims = 0 or j.claims::text = split_part(j.account, ',', 4) then v_now else j.generation_at end,
                claims = j.claims + 1, executions = j.executions + 1, worker = c_worker, lease_since = v_now,
                lease_until = v_now + c_lease, policy_hash = l_policy_hash[a.lane], alone = c_alone,
                previous_block = j.audit_block
              -- end
            from unnest(v_tids[1:v_taken], v_lane_of[1:v_taken]) as a(tid, lane)
            where j.ctid = a.tid
            returning
              -- made: claimed columns
              null, null, j.id, coalesce(j.payload, (select p.payload from redrive.payloads p where p.seq = j.seq)),
                j.submitted_at, j.ctid, nullif(j.handler, l_handler[1]), nullif(j.queue, 'default'),
                nullif(j.tenant, ''), nullif(j.priority, 0), nullif(j.revision, 2), nullif(j.token, 1),
                nullif(j.generation, 1), nullif(j.claims, 1), nullif(j.executions, j.claims), nullif(j.failed, 0),
                nullif(j.lease_lost, 0), nullif(j.retry_count, 0), nullif(j.generation_at, j.lease_since),
                nullif(j.lease_since, v_first_now), j.deadline, j.attempts, j.reason, j.error_class, j.account,
                j.unique_key, j.limit_key, j.session_id, j.headers, j.spec, array_to_json(j.tags)::text,
                case when j.payload is null then coalesce(j.payload_bytes, (select p.payload_bytes from redrive.payloads p where p.seq = j.seq)) end
              -- end
            ;
          get diagnostics v_updated = row_count;
          if v_updated <> v_taken then
            raise exception 'Locked % jobs and found % of them', v_taken, v_updated using errcode = '40001';
          end if;
          v_room := v_room - v_normal;
          v_ahead := v_ahead - (v_taken - v_normal);
        end if;

        if v_looks = 1 and v_taken > 0 and cardinality(v_tenants) = 1 and cardinality(v_lanes) = 1 then
          if v_cursor is not null or v_pages >= 50 /* cursorPages */ then
            perform redrive.keep_cursor(
              l_handler[1], v_queues[1], v_priority, v_tenants[1], v_last_at, v_cursor, v_first.took_ms);
          end if;
        end if;

        if v_closed_handlers is not null and c_only is null then
          select array_agg(l.lane), array_agg(l.handler), array_agg(l.queue) into v_lanes, v_handlers, v_queues
          from redrive.lanes_without(v_lanes, v_handlers, v_queues, v_closed_handlers, v_closed_queues) l;
          exit levels when v_lanes is null;
        end if;

        if v_taken < cardinality(v_tids) then
          -- One could not be taken. Its tenant's turn goes to the tenant's next one.
          if v_room = 0 then v_more := true; end if;
          exit passes when v_room = 0 and (v_ahead = 0
            or cardinality(array_positions(v_safe_of[v_taken + 1:], false)) >= max_passed);
          v_from := v_tenant_of[v_taken + 1];
          v_inclusive := true;
        elsif v_rounds < v_quota then
          if v_cursor is not null then
            -- There may be more before it: as soon as its time is over, a claim is worth it.
            v_next := least(v_next, v_now + greatest(1, v_cursor[7]::bigint - redrive.clock_ms()));
          end if;
          exit looks;
        end if;
      end loop;
    end loop;
    -- No ready job is left. Held jobs may be claimable: their limit was raised, or the job released before them was cancelled.
    exit passes when v_room = 0 or c_only is not null
      or not exists (select from redrive.jobs j where j.state = 'held' and j.limit_key is not null and j.handler = any(l_handler))
      or redrive.release_free_keys(l_handler, l_per_key) = 0;
    v_known := false;
  end loop;
  if c_rates is not null then
    v_next := least(v_next, v_rate_next, (
      select min(h.look_at) from redrive.rates_of(v_rates) n cross join lateral (
        select r.look_at from redrive.rates r where r.holds and r.name = n.name order by r.look_at limit 1) h));
  end if;
  if v_suspects is not null then
    v_answer.kind := 'suspects';
    v_answer.meta := v_suspects::text;
    return next v_answer;
  end if;
  v_answer.kind := 'claim';
  v_answer.meta := concat(v_more, ',', v_now, ',', v_next, ',', v_first_now);
  return next v_answer;
  return query select * from redrive.end_step(p_now, p_seq, p_writer, v_records);
end $$;
