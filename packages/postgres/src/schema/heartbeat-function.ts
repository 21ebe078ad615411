import { NOW } from './now.ts';
import { setSql } from './transition-sql.ts';

/**
 * Extends leases. `held` has the numbers (from 1) of the leases that were extended, `cancelled` the numbers among them whose
 * jobs are to be cancelled, `busy` the numbers of leases that are alive and could not be extended.
 *
 * At first it waits for no row, because a locked row is most likely being settled. Leases that are still alive after that
 * are tried once more. This time it waits for their rows, for at most `p_wait` ms, because other heartbeats come after it.
 *
 * `p_progress`: JSON for each lease. Null: its progress stays as it is.
 */
export function heartbeatFunction(s: string): string {
  const leases = `unnest(p_ids, p_tokens, p_progress) with ordinality as l(id, token, progress, ord)
        join ${s}.ids i on i.id = l.id
        join ${s}.jobs j on j.seq = i.seq and j.token = l.token and j.lease_since is not null`;
  const extend = (of: string) =>
    setSql('extend', { of: 'j', given: { leaseMs: 'p_lease', progress: `${of}.progress` } });
  return `
    create or replace function ${s}.heartbeat(
      p_now bigint, p_ids text[], p_tokens bigint[], p_progress text[], p_lease bigint, p_wait integer,
      out held integer[], out cancelled integer[], out busy integer[])
    language plpgsql volatile as $$
    declare
      v_now bigint := ${NOW};
      v_end timestamptz := clock_timestamp() + make_interval(secs => p_wait / 1000.0);
      v_lease record;
      v_cancelled boolean;
    begin
      with free as (
        select j.seq, l.ord::integer as ord, l.progress from ${leases} for no key update of j skip locked
      ), extended as (
        update ${s}.jobs j set ${extend('f')}
        from free f where j.seq = f.seq and j.lease_until > v_now
        returning f.ord, j.cancel_requested
      )
      select array_agg(e.ord), array_agg(e.ord) filter (where e.cancel_requested) into held, cancelled from extended e;
      if cardinality(held) = cardinality(p_ids) then
        return;
      end if;

      for v_lease in
        select l.ord::integer as ord, l.token, l.progress, j.seq from ${leases}
        where j.lease_until > v_now and l.ord <> all(coalesce(held, '{}'))
      loop
        perform set_config('lock_timeout',
          greatest(1, ceil(extract(epoch from v_end - clock_timestamp()) * 1000))::text, true);
        begin
          perform from ${s}.jobs j where j.seq = v_lease.seq for no key update;
          v_now := ${NOW};
          update ${s}.jobs j set ${extend('v_lease')}
          where j.seq = v_lease.seq and j.token = v_lease.token and j.lease_since is not null and j.lease_until > v_now
          returning j.cancel_requested into v_cancelled;
          if found then
            held := held || v_lease.ord;
            if v_cancelled then cancelled := cancelled || v_lease.ord; end if;
          end if;
        exception when lock_not_available then
          busy := busy || v_lease.ord;
        end;
      end loop;
    end $$;`;
}
