import { openRunDirectory } from './directory.ts';

/** What vitest calls once before all test files; the answer is called after them, also when tests have failed. */
export default function setup(): () => void {
  return openRunDirectory();
}
