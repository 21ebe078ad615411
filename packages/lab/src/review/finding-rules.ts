/** A kind of finding. `docs/reference/policy-findings.md` is made from the rules. */
export interface FindingRule {
  /** One sentence: what was seen. */
  readonly meaning: string;
  /** When it is reported. */
  readonly evidence: string;
  /** The next step of the operator. */
  readonly remedy: string;
  /** The next command; `ID` stands for the policy. */
  readonly next: string;
}

/** Sessions that every finding but `unused_policy` rests on, at least. */
export const MIN_SESSIONS = 50;
/** Of 50 sessions or more, the share that is too much. */
export const EARLY_SHARE = 0.2;
/** Retries per session at a dependency that is down for all. */
export const MANY_RETRIES = 5;
/** Times the median second's retries. */
export const BUSY_FACTOR = 5;
/** Retries of the busiest second: fewer harm nobody. */
export const MIN_BUSIEST = 20;

const COMPARE = 'redrive policies backtest ID new.yaml:ID --since 7d';

export const FINDING_RULES = {
  never_recovers: {
    meaning: 'Attempts after number k recovered no session.',
    evidence: `0 of n sessions succeeded after attempt k, n is at least ${MIN_SESSIONS}, and not more than half of them met the same outage. The figure is the 95 % bound of the share that such attempts recover.`,
    remedy: 'Lower `max_attempts` to k, or wait longer between attempts.',
    next: COMPARE,
  },
  wasted_attempts: {
    meaning: 'Retries were made that could not succeed.',
    evidence: `At least ${MIN_SESSIONS} sessions retried after an error type that never recovered; or at least ${MIN_SESSIONS} sessions made ${MANY_RETRIES} retries each or more at a dependency that was down for all.`,
    remedy:
      'Add the type to `non_retryable_exceptions`; for a dependency that is down, use `enable_circuit_breaker`, or longer waits.',
    next: COMPARE,
  },
  gives_up_early: {
    meaning: 'Sessions were given up shortly before they would have succeeded.',
    evidence: `Of at least ${MIN_SESSIONS} dead letters ${EARLY_SHARE * 100} % or more met an outage that ended within one more wait, or succeeded at the first attempt after a requeue. An outage has ended if most of its sessions that tried again later succeeded. If none tried again, the review says "cannot tell".`,
    remedy: 'Raise `max_attempts` or `max_delay`, or let `policies recommend` find the waits.',
    next: 'redrive policies recommend ID --since 30d',
  },
  hint_ignored: {
    meaning: 'Attempts were made while the dependency had asked another session to wait.',
    evidence: `At least ${MIN_SESSIONS} sessions made an attempt while a hint to another session of that dependency still ran (each session obeys its own), or got a \`rate_limited\` error without a hint.`,
    remedy:
      'Name the `dependency` of the handler, so that its gate holds for all; let the classifier read the hint.',
    next: 'redrive policies explain ID',
  },
  synchronised_retries: {
    meaning: 'Retries come together.',
    evidence: `The busiest second has over ${BUSY_FACTOR} times the retries of the median second with any, and at least ${MIN_BUSIEST}.`,
    remedy: 'Use `jitter_type: full` with `jitter_amount: 1`.',
    next: 'redrive policies plot ID',
  },
  unused_policy: {
    meaning: 'No session used a policy of the file.',
    evidence: 'The recording has no session of it, whatever its length is.',
    remedy: 'Remove it, or look for a wrong name in `subsystem_mappings` and `jobs.handlers`.',
    next: 'redrive policies show ID',
  },
} as const satisfies Record<string, FindingRule>;

export type FindingCode = keyof typeof FINDING_RULES;
export const FINDING_CODES = Object.keys(FINDING_RULES) as readonly FindingCode[];
