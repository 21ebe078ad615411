// The smallest sets of tests that several bugs are to be noticed by.

export const TRANSITION_TESTS = ['packages/durable/src/job/transition.test.ts'];
export const SQLITE_TESTS = ['packages/sqlite/src/conformance.test.ts'];
export const POSTGRES_TESTS = ['packages/postgres/src/conformance.test.ts'];
export const SQLITE_FULL = ['packages/sqlite/src/full-conformance.test.ts'];
export const POSTGRES_FULL = ['packages/postgres/src/full-store.test.ts'];
export const ONE_TRANSACTION = ['scripts/crash/one-transaction.long.test.ts'];
