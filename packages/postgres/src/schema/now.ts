/**
 * The server's clock at this very moment, in milliseconds. Never `now()`, which is the start of the transaction: a lease
 * that counts from there may be born expired. Rounded down, so that nothing is ever early.
 */
export const CLOCK_MS = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** The time of a statement in a function: what a test says, otherwise the server's. */
export const NOW = `coalesce(p_now, ${CLOCK_MS})`;
