export { retryErrorOf } from '../classify/error-facts.ts';
export type { HttpCallOptions, HttpRequest } from './http-calls.ts';
export { type RetryingFetchOptions, retryingFetch } from './retrying-fetch.ts';
