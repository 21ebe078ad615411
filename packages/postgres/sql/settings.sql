-- Made by src/schema, where the comments are; a test compares it.
do $settings$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid from pg_proc p where p.pronamespace = 'redrive'::regnamespace and p.proname in ('step', 'enqueue_uniform', 'enqueue_in', 'once_begin', 'once_end', 'ledger_step', 'heartbeat', 'tick', 'tick_step', 'act', 'requeue_usual', 'control_step', 'prune')
  loop
    execute format('alter function %s set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
    set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0.01', v_function);
  end loop;
end $settings$;
