export {
  countAbortListeners,
  expectNoTimers,
  trackUnhandledRejections,
  type UnhandledRejections,
} from './leaks.ts';
export { seededRandom } from './seeded-random.ts';
export { settle } from './settle.ts';
export { type VirtualClock, type VirtualClockOptions, virtualClock } from './virtual-clock.ts';
