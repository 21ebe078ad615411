export { CATEGORY_POLICIES, findCategory, RetryCategory } from './categories.ts';
export { getRetryManager, RetryManager } from './retry-manager.ts';
