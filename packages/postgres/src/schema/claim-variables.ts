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
  ['c_rates', 'text'],
  ...LANE_ARRAYS.map(([name, type]) => [`l_${name}`, `${type}[]`] as const),
];
export const CLAIM_PARAMETERS = CLAIM_VALUES.map(([name, type]) => `${name} ${type}`).join(', ');
export const CLAIM_ARGUMENTS = CLAIM_VALUES.map(([name]) => name).join(', ');
