export { CATEGORY_POLICIES, findCategory, RetryCategory } from './categories.ts';
export {
  type ExecuteOptions,
  getRetryManager,
  RetryManager,
  type RetryManagerOptions,
} from './retry-manager.ts';
