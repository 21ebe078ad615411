/**
 * The time of a statement: what a test says, otherwise the server's clock at this very moment. Never `now()`, which is
 * the start of the transaction: a lease that counts from there may be born expired. Rounded down, so that nothing is
 * ever early.
 */
export const NOW = 'coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)';
