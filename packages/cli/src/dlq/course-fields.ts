import type { OptionSpec } from '../command/command-spec.ts';

/** How an act on many goes on that workers carry out, for every act. */
export const COURSE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--rate <rate>', summary: 'act on so many at most, such as 50/s; default: no limit' },
  { flags: '--detach', summary: 'leave it to the workers, and do not wait for its end' },
];

/** The same for what starts jobs. */
export const RAMP_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--ramp <sizes>',
    summary:
      'so many first, and more only when enough of them succeed: 1,10,100, then all; none: all at once',
  },
  {
    flags: '--max-in-flight <n>',
    summary: 'so many at most that were sent back and have not ended, 1 to 2,000',
  },
  {
    flags: '--stop-on-failure-ratio <share>',
    summary: 'stop when more than this share of a stage comes back; default 0.2',
  },
];
