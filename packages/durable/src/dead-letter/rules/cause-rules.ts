import { createHash } from 'node:crypto';
import { type CauseRule, MAX_RULES } from '@redrive/core/stored';
import { type ErrorFingerprint, fingerprintOf } from '../fingerprint.ts';
import { type Glob, globOf } from './glob.ts';

/** What a rule sees of a failure: everything is stored with the job, so that a rule can be applied later, too. */
export interface FailureFacts {
  readonly handler: string;
  readonly type: string;
  /** As it is stored: secrets masked, at most 500 characters. */
  readonly message: string;
  /** Of the error: `23505`, `ECONNREFUSED`, `card_declined`, the status of an HTTP answer. */
  readonly code?: string | undefined;
  /** The name that the error or the verdict gave the cause. */
  readonly cause?: string | undefined;
}

/** The rules in force, ready to be applied. */
export interface CauseRules {
  readonly rules: readonly CauseRule[];
  /** The cause of a failure. */
  causeOf(facts: FailureFacts): ErrorFingerprint;
  /** The same for a failure whose cause without rules is known. */
  apply(facts: FailureFacts, without: ErrorFingerprint): ErrorFingerprint;
}

const SHOWN = 100;
const MAX_PATTERN = 200;

/** The cause with a name that people or a handler gave it. The rules of messages do not matter, nor does the handler. */
export function namedCause(name: string, title = name): ErrorFingerprint {
  return { fingerprint: `name:${digest(['name', name])}`, pattern: title };
}

/** The cause of a failure before any rule. */
export function causeWithoutRules({ cause, handler, ...error }: FailureFacts): ErrorFingerprint {
  return cause === undefined ? fingerprintOf(error, handler) : namedCause(cause);
}

/**
 * Makes rules ready. They apply in their order, and each sees the causes that those before it made, so a merge of a merged
 * cause works. A rule without fingerprints takes only failures that no handler and no earlier rule named.
 *
 * @throws RangeError for more rules than are allowed. Rules that were not checked by `ruleProblems` match as they can.
 */
export function causeRules(given: readonly CauseRule[]): CauseRules {
  if (given.length > MAX_RULES) throw new RangeError(`there are more than ${MAX_RULES} rules`);
  const ready = given.map(readyRule);
  const apply = (facts: FailureFacts, without: ErrorFingerprint) => {
    let cause = without;
    let isNamed = facts.cause !== undefined;
    for (const rule of ready) {
      if (rule.fingerprints === undefined ? isNamed : !rule.fingerprints.has(cause.fingerprint))
        continue;
      if (!rule.conditions.every((condition) => condition(facts))) continue;
      cause = rule.change(facts, cause);
      isNamed = true;
    }
    return cause;
  };
  return { rules: given, apply, causeOf: (facts) => apply(facts, causeWithoutRules(facts)) };
}

interface ReadyRule {
  readonly fingerprints: ReadonlySet<string> | undefined;
  readonly conditions: readonly ((facts: FailureFacts) => boolean)[];
  readonly change: (facts: FailureFacts, cause: ErrorFingerprint) => ErrorFingerprint;
}

function readyRule(rule: CauseRule): ReadyRule {
  const { fingerprints = [], handlers, types, codes, messages } = rule;
  return {
    fingerprints: fingerprints.length > 0 ? new Set(fingerprints) : undefined,
    conditions: [
      ...oneOf(handlers, ({ handler }) => handler),
      ...oneOf(types, ({ type }) => type),
      ...oneOf(codes, ({ code }) => code),
      ...oneOf(messages, ({ message }) => message),
    ],
    change: changeOf(rule),
  };
}

function oneOf(
  patterns: readonly string[] = [],
  read: (facts: FailureFacts) => string | undefined,
): ReadyRule['conditions'] {
  if (patterns.length === 0) return [];
  const globs = patterns.map(globOf);
  return [
    (facts) => {
      const text = read(facts);
      return text !== undefined && globs.some((glob) => glob.matches(text));
    },
  ];
}

function changeOf({ name, title, into, splitBy, splitPattern }: CauseRule): ReadyRule['change'] {
  const own = namedCause(name, title);
  const splits = splitBy !== undefined || splitPattern !== undefined;
  const glob = splitPattern === undefined ? undefined : globOf(splitPattern);
  return (facts, cause) => {
    const kept = title === undefined ? cause : { ...cause, pattern: title };
    const joined =
      into !== undefined ? { fingerprint: into, pattern: title ?? name } : splits ? kept : own;
    return splits ? splitOff(joined, facts, splitBy, splitPattern, glob) : joined;
  };
}

function splitOff(
  cause: ErrorFingerprint,
  facts: FailureFacts,
  splitBy: CauseRule['splitBy'],
  splitPattern: string | undefined,
  glob: Glob | undefined,
): ErrorFingerprint {
  const value = splitBy === undefined ? splitPattern : facts[splitBy];
  if (value === undefined || glob?.matches(facts.message) === false) return cause;
  const by = splitBy ?? 'pattern';
  const shown = value.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, SHOWN);
  const pattern = `${cause.pattern.slice(0, MAX_PATTERN - SHOWN)} (${by} ${shown})`.toWellFormed();
  return { fingerprint: `part:${digest([cause.fingerprint, by, value])}`, pattern };
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
