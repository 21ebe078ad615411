import type { OptionSpec } from '../command/command-spec.ts';

/** How an act on many goes on that workers carry out, for every act. */
export const COURSE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--rate <rate>',
    summary: 'letters per second at most, such as 50/s; default: no limit',
  },
  { flags: '--detach', summary: 'let the workers do it, and do not wait for the result' },
];

/** The same for what starts jobs. */
export const RAMP_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--ramp <sizes>',
    summary:
      'sizes of the first stages, such as 1,10,100, then all; the next stage begins when enough jobs of a stage succeed; none: all at once',
  },
  {
    flags: '--max-in-flight <n>',
    summary: 'requeued jobs without a result at one time, 1 to 2,000',
  },
  {
    flags: '--stop-on-failure-ratio <share>',
    summary: 'stop when more than this share of a stage fails again; default 0.2',
  },
];
