export { retryErrorOf } from '../errors/given-up.ts';
export type { HttpCallOptions, HttpRequest } from './http-calls.ts';
export { type RetryingFetchOptions, retryingFetch } from './retrying-fetch.ts';
