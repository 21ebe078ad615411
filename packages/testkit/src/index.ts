export { settle } from './settle.ts';
export { type VirtualClock, type VirtualClockOptions, virtualClock } from './virtual-clock.ts';
