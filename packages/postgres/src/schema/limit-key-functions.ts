import { sessionSetting } from '../connect/session-settings.ts';

/** Limit keys that one look for free ones takes into account: each costs a lock. */
const KEYS_AT_ONCE = 256;

/**
 * Limit keys hold over all processes without anybody waiting:
 *
 * - A claim of a job with a limit key holds the key's advisory lock until its commit, or passes the job over when
 *   another claim has it. So leases of one key are counted and made by one claim at a time. Settlements take no lock:
 *   an end of a lease only makes the count smaller than it was taken for.
 * - A claim that meets a used-up key takes its ready jobs out of the ready index (`held`), but only after it has locked a
 *   lease of that key. The settlement of that lease then waits for the claim's commit, sees the held jobs, and releases
 *   the next. Without the lock it might look before the commit, and the jobs would be held for ever.
 */
export function limitKeyFunctions(s: string): string {
  const places = sessionSetting('free_keys', s);
  return `
    -- Releases as many held jobs as there is room for: the first of the highest priority, of at most sixteen tenants in
    -- turn, beginning after p_after. The next claim takes them in turn too, and holds the others again.
    create or replace function ${s}.release_heads(p_handler text, p_key text, p_after text, p_room integer) returns integer
    language plpgsql volatile as $$
    declare
      v_below bigint := 2147483648;
      v_left integer := p_room;
      v_priority integer;
      v_tenant text collate "C";
      v_tenants text[];
      v_count integer;
      v_total integer := 0;
      -- A released job of a killed tenant is not claimed, and the others of its key would wait behind it.
      v_killed text[] := (select p.tenants from ${s}.stops p);
    begin
      for v_round in 1..64 loop
        exit when v_left <= 0;
        select j.priority into v_priority from ${s}.jobs j
        where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority < v_below
        order by j.priority desc limit 1;
        exit when not found;

        v_tenants := '{}';
        v_tenant := p_after;
        while cardinality(v_tenants) < 16 loop
          select j.tenant into v_tenant from ${s}.jobs j
          where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority = v_priority
            and j.tenant > v_tenant
          order by j.tenant limit 1;
          exit when not found;
          continue when v_tenant = any(v_killed);
          v_tenants := v_tenants || v_tenant;
        end loop;
        -- From the start, up to where it began.
        select j.tenant into v_tenant from ${s}.jobs j
        where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority = v_priority
        order by j.tenant limit 1;
        while found and cardinality(v_tenants) < 16 and (p_after is null or v_tenant <= p_after) loop
          if v_tenant <> all(v_killed) then v_tenants := v_tenants || v_tenant; end if;
          select j.tenant into v_tenant from ${s}.jobs j
          where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key and j.priority = v_priority
            and j.tenant > v_tenant
          order by j.tenant limit 1;
        end loop;

        update ${s}.jobs set state = 'ready' where seq = any(array(
          select h.seq from unnest(v_tenants) as t(tenant) cross join lateral (
            select j.seq from ${s}.jobs j where j.state = 'held' and j.handler = p_handler and j.limit_key = p_key
              and j.priority = v_priority and j.tenant = t.tenant
            order by j.submitted_at, j.id limit (v_left + cardinality(v_tenants) - 1) / cardinality(v_tenants)
            for update skip locked) h));
        get diagnostics v_count = row_count;
        v_total := v_total + v_count;
        v_left := v_left - v_count;
        -- Others are at all that is left of this priority.
        if v_count = 0 then v_below := v_priority; end if;
      end loop;
      return v_total;
    end $$;

    -- Releases held jobs for each entry: a lease of its key has ended, or a released job of its key is gone.
    create or replace function ${s}.release_held(p_handlers text[], p_keys text[], p_tenants text[])
    returns integer language plpgsql volatile as $$
    declare
      k record;
      v_total integer := 0;
    begin
      for k in
        select e.handler, e.key, count(*)::integer as ended, max(e.tenant) as tenant
        from unnest(p_handlers, p_keys, p_tenants) as e(handler, key, tenant)
        group by 1, 2 order by 1, 2
      loop
        v_total := v_total + ${s}.release_heads(k.handler, k.key, k.tenant, k.ended);
      end loop;
      return v_total;
    end $$;

    -- Takes the ready jobs of a used-up key out of the way, at most a thousand at a time.
    create or replace function ${s}.hold_key(p_handler text, p_key text) returns void
    language plpgsql volatile as $$
    begin
      perform from ${s}.jobs j where j.state = 'leased' and j.lease_until is not null and j.handler = p_handler and j.limit_key = p_key
        limit 1 for share skip locked;
      if found then
        update ${s}.jobs set state = 'held' where seq = any(array(
          select j.seq from ${s}.jobs j where j.state = 'ready' and j.handler = p_handler and j.limit_key = p_key
          limit 1000 for update skip locked));
      end if;
    end $$;

    -- How many jobs of a key may still be leased; null when somebody else is about to lease some.
    create or replace function ${s}.key_room(p_handler text, p_key text, p_limit integer) returns integer
    language plpgsql volatile as $$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended('${s.replaceAll('"', '')}:' || p_handler || E'\\x01' || p_key, 7)) then
        return null;
      end if;
      -- A statement of its own, so that it sees all commits before the lock was taken.
      return p_limit - (select count(*) from (
        select from ${s}.jobs j where j.state = 'leased' and j.lease_until is not null and j.handler = p_handler
            and j.limit_key = p_key limit p_limit) l);
    end $$;

    -- Releases held jobs whose keys have room by now, and returns their number. If there are many keys, it looks at some of
    -- them, and at the next ones the next time in this session.
    create or replace function ${s}.release_free_keys(p_handlers text[], p_limits integer[]) returns integer
    language plpgsql volatile as $$
    declare
      k record;
      v_room integer;
      v_looks integer := 0;
      v_total integer := 0;
      -- The last key that was looked at, by handler.
      v_places jsonb := coalesce(nullif(current_setting('${places}', true), ''), '{}');
    begin
      for k in
        with recursive behind as (${heldKeysSql(s, 'behind', '>')}), before as (${heldKeysSql(s, 'before', '<=')})
        select h.handler, h.key, h.per_key from (select * from behind union all select * from before) h
        where h.key is not null limit ${KEYS_AT_ONCE}
      loop
        v_looks := v_looks + 1;
        v_places := v_places || jsonb_build_object(k.handler, k.key);
        v_room := ${s}.key_room(k.handler, k.key, k.per_key);
        if v_room > 0 then
          v_total := v_total + ${s}.release_heads(k.handler, k.key, null, v_room);
        end if;
      end loop;
      if v_looks = ${KEYS_AT_ONCE} then
        perform set_config('${places}', v_places::text, false);
      end if;
      return v_total;
    end $$;`;
}

/** From one limit key with held jobs to the next, of each handler, on one side of its place. Behind the last one is a null. */
function heldKeysSql(s: string, name: string, side: '>' | '<='): string {
  const first = (from: string, place: string, condition: string): string =>
    `(select j.limit_key from ${s}.jobs j where j.state = 'held' and j.handler = ${from}.handler
            and j.limit_key ${side} ${place}${condition} order by j.limit_key limit 1)`;
  const place = `coalesce(v_places ->> l.handler, '')`;
  return `
          select l.handler, l.per_key, ${place} as place, ${first('l', place, '')} as key
          from unnest(p_handlers, p_limits) as l(handler, per_key)
          union all
          select h.handler, h.per_key, h.place, ${first('h', 'h.place', ' and j.limit_key > h.key')}
          from ${name} h where h.key is not null`;
}
