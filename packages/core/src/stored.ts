// Parts that only stored rungs need: events, jobs, documents. A program that calls `retry` alone carries none of them.

export { isDependencyFailure } from './breaker/breaker.ts';
export { classifyStored, type StoredFailure } from './classify/classify-stored.ts';
