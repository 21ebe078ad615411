import { NOW } from './now.ts';

/** While a caller's transaction works on a key, no other caller waits for it: it finds the lock taken. */
const LOCK_OF = (s: string, key: string) =>
  `hashtextextended('${s.replaceAll('"', '')} once ' || ${key}, 11)`;

/**
 * Longer than any transaction lasts: the same key again, inside of the run that has it, is refused. Nobody else sees the
 * reservation before it is done, and who waits for the key waits for its lock.
 */
const TRANSACTION_LEASE_MS = 3_600_000;

const UNTIL = (from: string, retention: string) => `${from} + ${retention}`;

/**
 * Calls to the ledger, for many callers at once: one row per call, in the order of keys and, for one key, of
 * arrival. It never waits for a caller's transaction: `busy` says that somebody is at work on the key, and to ask again.
 * The time is read after the row is locked.
 */
export function ledgerFunctions(s: string): string {
  return `
    create or replace function ${s}.ledger_step(
      p_now bigint, p_what text[], p_key text[], p_token bigint[], p_fingerprint text[], p_lease bigint[],
      p_retention bigint[], p_value text[], p_error text[])
    returns table (ord integer, answer text, token bigint, fingerprint text, value text, error text, lease_left bigint)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      c record;
      r record;
      v_found boolean;
      v_now bigint;
      v_token bigint;
    begin
      for c in
        select * from unnest(p_what, p_key, p_token, p_fingerprint, p_lease, p_retention, p_value, p_error) with ordinality
          as c(what, key, token, fingerprint, lease, retention, value, error, ord)
        order by c.key collate "C", c.ord
      loop
        if c.what = 'look' then
          select l.* into r from ${s}.ledger l where l.key = c.key and (l.until is null or l.until > ${NOW});
          if found then
            return query select c.ord::integer, r.state, r.token, r.fingerprint, r.value, r.error, null::bigint;
          else
            return query select c.ord::integer, 'absent', null::bigint, null, null, null, null::bigint;
          end if;
          continue;
        end if;

        <<tries>>
        loop
          select l.* into r from ${s}.ledger l where l.key = c.key for update skip locked;
          v_found := found;
          v_now := ${NOW};
          if not v_found and (exists (select from ${s}.ledger l where l.key = c.key)
            or not pg_try_advisory_xact_lock_shared(${LOCK_OF(s, 'c.key')})) then
            return query select c.ord::integer, 'busy', null::bigint, null, null, null, null::bigint;
            exit tries;
          end if;
          if c.what = 'clear' then
            delete from ${s}.ledger l where l.key = c.key;
            return query select c.ord::integer, 'ok', null::bigint, null, null, null, null::bigint;
            exit tries;
          end if;
          -- One whose time is over is not there.
          v_found := v_found and (r.until is null or r.until > v_now);
          if c.what <> 'reserve' then
            if not v_found or r.state <> 'in_progress' or r.token <> c.token then
              return query select c.ord::integer, 'stale', null::bigint, null, null, null, null::bigint;
              exit tries;
            end if;
            update ${s}.ledger l set
              lease_until = case when c.what = 'renew' then v_now + c.lease else l.lease_until end,
              until = case when c.what = 'renew' then ${UNTIL('v_now + c.lease', 'c.retention')} else ${UNTIL('v_now', 'c.retention')} end,
              state = case c.what when 'complete' then 'done' when 'fail' then 'failed' else l.state end,
              value = c.value, error = c.error
            where l.key = c.key;
            return query select c.ord::integer, 'ok', null::bigint, null, null, null, null::bigint;
            exit tries;
          end if;

          if v_found and r.fingerprint <> c.fingerprint then
            return query select c.ord::integer, 'conflict', null::bigint, r.fingerprint, null, null, null::bigint;
            exit tries;
          elsif v_found and r.state = 'done' then
            return query select c.ord::integer, 'done', null::bigint, null, r.value, null, null::bigint;
            exit tries;
          elsif v_found and r.state = 'in_progress' and r.lease_until > v_now then
            return query select c.ord::integer, 'in_progress', null::bigint, null, null, null, r.lease_until - v_now;
            exit tries;
          end if;
          v_token := nextval('${s}.ledger_token');
          if r.key is not null then
            update ${s}.ledger l set token = v_token, lease_until = v_now + c.lease,
              until = ${UNTIL('v_now + c.lease', 'c.retention')}, state = 'in_progress', fingerprint = c.fingerprint,
              value = null, error = null
            where l.key = c.key;
          else
            insert into ${s}.ledger (key, token, lease_until, until, state, fingerprint)
            values (c.key, v_token, v_now + c.lease, ${UNTIL('v_now + c.lease', 'c.retention')}, 'in_progress', c.fingerprint)
            on conflict do nothing;
            -- Somebody else was faster.
            continue tries when not found;
          end if;
          return query select c.ord::integer, 'reserved', v_token, null, null, null, null::bigint;
          exit tries;
        end loop;
      end loop;
    end $$;

    -- Takes a key in the caller's transaction, after any other transaction that has it. The wait ends with an answer,
    -- not with an error, which would abort the transaction.
    create or replace function ${s}.once_begin(
      p_now bigint, p_key text, p_fingerprint text, p_wait bigint,
      out answer text, out token bigint, out fingerprint text, out value text, out lease_left bigint)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      r record;
      v_now bigint;
      v_limit text := current_setting('lock_timeout');
    begin
      for v_look in 1..2 loop
        if v_look = 2 then
          begin
            perform set_config('lock_timeout', greatest(p_wait, 1)::text, true);
            perform pg_advisory_xact_lock(${LOCK_OF(s, 'p_key')});
          exception when lock_not_available then
            answer := 'in_progress';
            return;
          end;
          perform set_config('lock_timeout', v_limit, true);
        end if;
        select l.* into r from ${s}.ledger l where l.key = p_key;
        v_now := ${NOW};
        if found and (r.until is null or r.until > v_now) then
          if r.fingerprint <> p_fingerprint then
            answer := 'conflict';
            fingerprint := r.fingerprint;
            return;
          elsif r.state = 'done' then
            answer := 'done';
            value := r.value;
            return;
          elsif r.state = 'in_progress' and r.lease_until > v_now then
            answer := 'in_progress';
            lease_left := r.lease_until - v_now;
            return;
          end if;
        end if;
      end loop;
      -- A holder with an older token can no longer write.
      token := nextval('${s}.ledger_token');
      insert into ${s}.ledger as l (key, token, lease_until, until, state, fingerprint)
      values (p_key, token, v_now + ${TRANSACTION_LEASE_MS}, null, 'in_progress', p_fingerprint)
      on conflict (key) do update set token = excluded.token, lease_until = excluded.lease_until, until = null,
        state = 'in_progress', fingerprint = excluded.fingerprint, value = null, error = null
      where l.until <= v_now or l.state = 'failed' or (l.state = 'in_progress' and l.lease_until <= v_now);
      answer := case when found then 'reserved' else 'in_progress' end;
    end $$;

    create or replace function ${s}.once_end(p_now bigint, p_key text, p_token bigint, p_retention bigint, p_value text)
    returns void language plpgsql volatile as $$
    begin
      update ${s}.ledger l set state = 'done', value = p_value, until = ${UNTIL(NOW, 'p_retention')}
      where l.key = p_key and l.token = p_token;
      if not found then
        raise exception 'Idempotency key % is not reserved in this transaction any more: what ran under it has undone that', p_key
          using errcode = 'object_not_in_prerequisite_state';
      end if;
    end $$;`;
}
