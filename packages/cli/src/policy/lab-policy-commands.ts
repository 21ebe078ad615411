import type { CommandSpec } from '../command/command-spec.ts';

/** Where the attempts come from: a recording, or the audit log of the store. */
const FROM = [
  '--recording <directory> | attempts of a recording ("redrive lab record") [not with since, until]',
  '--since <time> | attempts of the audit log that ended at this time or later; default 7d',
  '--until <time> | attempts that ended before this time; default now',
  '--dependency <name> | attempts of the audit log at this dependency only',
];

const SIDE = 'a policy; FILE:ID is one of another file';

/** Commands that try policies on recorded attempts. */
export const LAB_POLICY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'backtest',
    summary: 'compare two policies on recorded attempts: attempts, recovered, exhausted, latency',
    args: [
      { name: '<old>', summary: `the policy of the recorded sessions: ${SIDE}` },
      { name: '<new>', summary: SIDE },
    ],
    options: [
      ...FROM,
      '--markdown | print a table for a pull request [not with json]',
      {
        flags: '--fail-if <condition>',
        summary: 'end with 9 if a figure changes by more: "exhausted > +0.1pp", "attempts > +5%"',
        repeats: true,
      },
    ],
    uses: 'store',
    reads: 'sessions',
    details:
      "Both policies are put on the same arrivals: the sessions that were recorded with the old one. While all sessions of a dependency fail, it is down; while others succeed, a failure is the item's own and lasts until the first success of that session. Figures are per session, with their spread (1.96 standard errors). Latency is that of sessions with a last wait of at least the sampling gap: the 95th percentile of the time between attempts at the dependency, or between the probes of its breaker.",
    examples: [
      'redrive policies backtest mail new.yaml:patient --recording .',
      "redrive policies backtest old.yaml:mail mail --recording . --markdown --fail-if 'exhausted > +0.1pp'",
    ],
    json: `
      old | text | the old policy: id, or file:id
      new | text | the new policy: id, or file:id
      sessions | number | sessions of the old policy that begin in the recording
      since | time | the first attempt
      until | time | the last attempt
      dependencies | any | each dependency: \`outages\`, \`own_failures\` and \`sampling_gap_ms\`
      unfinished | any | \`old\` and \`new\`: sessions that had not ended when the recording did; they count as neither recovered nor exhausted
      figures | any | \`old\`, \`new\` and \`change\`: each \`attempts\`, \`recovered\`, \`exhausted\`, \`wasted\` and \`latency\` (ms, or null), as \`value\` and \`spread\`
      too_few_outages | any | null, or \`outages\` and \`figures\`: the figures whose spread is larger than the figure itself, and how many outages the recording has
      limits | any | what the figures cannot know, in sentences
      failed_conditions | any | the conditions of --fail-if that were met
    `,
    exits: {
      failed: 'the recording or the configuration cannot be used',
      no_match: 'one of the policies does not exist',
      refused: 'fewer than 20 sessions have the old policy',
      partial: 'the recording has more attempts than are used',
      differs: 'a condition of --fail-if is met',
    },
    verdict: true,
    load: async () => (await import('./backtest.ts')).runBacktest,
  },
  {
    name: 'review',
    summary: 'review policies by their recorded attempts, with findings and their evidence',
    args: [{ name: '[id]', summary: 'a policy; default: all' }],
    options: [
      ...FROM,
      {
        flags: '--fail-on <code>',
        summary: 'end with 9 if there is a finding with this code',
        repeats: true,
      },
    ],
    uses: 'store',
    reads: 'sessions',
    details:
      'It prints sessions, attempts, success rate, average attempts and the share of sessions that succeeded at each attempt number, per policy and category (of the calls, or of the policy of jobs); then findings: never_recovers, wasted_attempts, gives_up_early, hint_ignored, synchronised_retries and unused_policy. Each but the last rests on at least 50 sessions. It says "cannot tell" if the attempts do not show whether sessions were given up early.',
    examples: [
      'redrive policies review --recording .',
      'redrive policies review mail --recording . --fail-on gives_up_early --json',
    ],
    json: `
      policies | any | per policy and \`category\` (\`null\`: none): \`sessions\`, \`attempts\`, \`success_rate\`, \`average_attempts\` and \`succeeded_at\`, the share of sessions that succeeded at attempt 1, 2, …
      findings | any | each with \`code\`, \`policy\`, \`figure\`, \`value\`, \`sessions\`, \`examples\` and \`next\`
      undecided | any | findings that the attempts can neither show nor rule out, each with \`code\`, \`policy\`, \`figure\` and \`sessions\`
    `,
    exits: {
      failed: 'the recording or the configuration cannot be used',
      no_match: 'the policy does not exist',
      refused: 'there is no session to review',
      partial: 'the recording has more attempts than are used',
      differs: 'there is a finding of --fail-on',
    },
    verdict: true,
    load: async () => (await import('./review.ts')).runReview,
  },
  {
    name: 'recommend',
    summary: 'recommend the waits of a policy from the recoveries in recorded attempts',
    args: [{ name: '<id>', summary: 'a policy' }],
    options: [
      ...FROM.map((option) => option.replace('default 7d', 'default 30d')),
      '--cost-per-attempt <cost> | what an attempt costs; default: as many attempts as the policy makes now',
      '--cost-per-second <cost> | what a second costs from a recovery to the attempt that notices it',
      '--false-timeouts <share> | share of good attempts that the attempt timeout may cut off; default 0.1%',
    ],
    uses: 'store',
    reads: 'sessions',
    details:
      'It learns from the older four fifths when outages and own failures end, and makes a schedule of at most 32 delays from it, with gaps of the square root of 2c / (l h): c is the cost of an attempt, l the cost of a second, h the hazard of recovery. Beside it, it tries a grid of exponential policies. On the newest fifth a worse schedule gives way to the best of the grid, and that to the present policy. All of them go on at least as long as the present policy. A policy with a breaker gets a breaker timeout instead, because its probes find a recovery; without costs it stays. The attempt timeout needs the start of successes: those of calls in process, and of jobs if it reads the store. The output is a file with the policy, the expected effect and the tables behind it.',
    examples: [
      'redrive policies recommend mail --recording .',
      'redrive policies recommend mail --recording . --cost-per-attempt 1 --cost-per-second 0.1 --json',
    ],
    json: `
      policy | text | its id
      recommended | text | learned, grid (exponential, or another breaker timeout) or present
      fragment | any | a redrive.yaml with the policy as it should be; null if it stays as it is
      recoveries | number | outages and own failures whose end was seen
      candidates | any | each \`kind\`, with \`attempts\`, \`delay_ms\` after a recovery and the share \`exhausted\`: on the attempts that it was \`learned\` from, and on the \`newest\` fifth
      attempt_cost_ms | number | an attempt costs as much as a wait of this time
      gaps | any | parts of the time since the first failure: \`from_ms\`, \`to_ms\`, failures \`lasting\` so long and \`recovered\` in it, \`gap_ms\`
      attempt_timeout | any | \`timeout_ms\` (or null), its \`reason\`, \`successes\` with a known start, attempts that \`timed_out\`
    `,
    exits: {
      failed: 'the recording or the configuration cannot be used',
      no_match: 'the policy does not exist',
      refused: 'fewer than 50 recoveries were seen',
      partial: 'the recording has more attempts than are used',
    },
    load: async () => (await import('./recommend.ts')).runRecommend,
  },
];
