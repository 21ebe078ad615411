import { CURSOR_VARIABLES } from './claim-cursor.ts';

/** The arrays that describe a claim's lanes. */
const LANE_ARRAYS = [
  ['handler', 'text'],
  ['limit', 'integer'],
  ['policy_hash', 'text'],
  ['max_attempts', 'integer'],
  ['per_key', 'integer'],
  ['detail', 'text'],
] as const;

/** All parameters of a claim, in order. */
export const CLAIM_VALUES: readonly (readonly [name: string, type: string])[] = [
  ['c_worker', 'text'],
  ['c_lease', 'bigint'],
  ['c_limit', 'integer'],
  ['c_ahead', 'integer'],
  ['c_queues', 'text[]'],
  ['c_after', 'text'],
  ['c_max_losses', 'integer'],
  ['c_only', 'text[]'],
  ['c_alone', 'boolean'],
  ...LANE_ARRAYS.map(([name, type]) => [`l_${name}`, `${type}[]`] as const),
];
export const CLAIM_PARAMETERS = CLAIM_VALUES.map(([name, type]) => `${name} ${type}`).join(', ');
export const CLAIM_ARGUMENTS = CLAIM_VALUES.map(([name]) => name).join(', ');

/** The variables of a claim. */
export const CLAIM_VARIABLES = `
      v_now bigint;
      v_first_now bigint;
      v_next bigint;
      v_more boolean := false;
      v_room integer := c_limit;
      v_ahead integer := c_ahead;
      v_lane_room integer[] := l_limit;
      v_paused_queues text[];
      v_paused_handlers text[];
      v_killed_tenants text[];
      -- Killed tenants, and tenants without a job that can be taken at this priority: they get no further turn.
      v_passed text[];
      v_stopped boolean := false;
      -- Handlers and queues to claim from, and the numbers of their lanes.
      v_lanes integer[];
      v_handlers text[];
      v_queues text[];
      -- Whether all ready jobs of the first priority have the queue and the tenant of k, and whether they may be claimed.
      v_known boolean := false;
      v_open boolean;
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
      k record;
      v_taken integer;
      v_updated integer;
      v_normal integer;${CURSOR_VARIABLES}`;
