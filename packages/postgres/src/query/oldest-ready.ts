/** The most groups that are read. If there are more, one of the others may have an older job. */
const MAX_HEADS = 10_000;

/** The submission time of the oldest job that may run, including jobs that wait for their limit key or a rate. */
export function oldestReadySql(schema: string): string {
  return `with recursive
    ready_heads as (${headsSql(schema, 'ready_heads', "j.state = 'ready'", 'queue')}),
    held_heads as (${headsSql(schema, 'held_heads', "j.state = 'held' and j.limit_key is not null", 'limit_key')})
    select least(${['ready_heads', 'held_heads'].map(oldestOf).join(', ')}, (${oldestOfRates(schema)}))`;
}

/** The first job of the highest priority of each value that a rate keeps back. */
const oldestOfRates = (schema: string): string =>
  `select min(h.submitted_at) from (
      select (select j.submitted_at from ${schema}.jobs j where j.state = 'held' and j.held_rate = r.key
        order by j.priority desc, j.submitted_at limit 1) as submitted_at
      from ${schema}.rates r where r.holds limit ${MAX_HEADS}) h`;

/** The recursion makes one group after the other, and stops at the limit of the outer query. */
const oldestOf = (heads: string): string =>
  `(select min(h.submitted_at) from (select submitted_at from ${heads} limit ${MAX_HEADS}) h)`;

/**
 * The first job of each handler, group, priority and tenant, which is the oldest one there. The query skips the other
 * jobs, which follow it in the index.
 */
function headsSql(schema: string, heads: string, among: string, group: string): string {
  const order = ['j.handler', `j.${group}`, 'j.priority desc', 'j.tenant', 'j.submitted_at'];
  const first = (what: string, condition: string, from: number): string =>
    `(select ${what} from ${schema}.jobs j where ${among}${condition} order by ${order.slice(from).join(', ')} limit 1)`;
  const columns = `j.handler, j.${group}, j.priority, j.tenant, j.submitted_at`;
  const inHandler = ' and j.handler = h.handler';
  const inGroup = `${inHandler} and j.${group} = h.${group}`;
  const atPriority = `${inGroup} and j.priority = h.priority`;
  return `
      ${first(columns, '', 0)}
      union all
      select n.* from ${heads} h cross join lateral (
        select ${columns} from ${schema}.jobs j where j.seq = coalesce(
          ${first('j.seq', `${atPriority} and j.tenant > h.tenant`, 3)},
          ${first('j.seq', `${inGroup} and j.priority < h.priority`, 2)},
          ${first('j.seq', `${inHandler} and j.${group} > h.${group}`, 1)},
          ${first('j.seq', ' and j.handler > h.handler', 0)}) limit 1) n`;
}
