/**
 * Functions of the queue go through an index, always. Their plans are made once and kept, perhaps while the tables are
 * empty: without these settings a plan may read a whole table that has grown since. They belong to the functions and not to
 * the connection, so that a function plans in the same way in the transaction of an application, and leaves that
 * application's settings alone.
 */
const INDEX_ONLY = `set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
        set enable_hashjoin = off set enable_mergejoin = off set random_page_cost = 0.01`;

/** The functions that are called from outside; the others run inside of them. */
const ENTRIES = [
  'step',
  'enqueue_uniform',
  'enqueue_in',
  'once_begin',
  'once_end',
  'ledger_step',
  'heartbeat',
  'tick',
  'tick_step',
  'act',
  'requeue_usual',
  'control_step',
  'prune',
];

/** `random_page_cost`: one row through an index is always cheaper than all rows, also while there are few. */
export function functionSettings(s: string): string {
  const names = ENTRIES.map((name) => `'${name}'`).join(', ');
  return `
    do $settings$
    declare
      v_function regprocedure;
    begin
      for v_function in
        select p.oid from pg_proc p where p.pronamespace = '${s}'::regnamespace and p.proname in (${names})
      loop
        execute format('alter function %s ${INDEX_ONLY}', v_function);
      end loop;
    end $settings$;`;
}
