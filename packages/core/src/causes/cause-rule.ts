/** The values by which a rule splits a cause. */
export const SPLIT_BY = ['message', 'type', 'code', 'handler'] as const;

/**
 * A correction of the causes of dead letters, by people: it joins failures in one cause with a name, or splits a cause.
 *
 * All conditions that are given must hold; of a list, one is enough. The lists `handlers`, `types`, `codes` and `messages`
 * are patterns in which `*` stands for any text.
 */
export interface CauseRule {
  /** Names the rule, and the cause that it makes: a handler that names its cause the same puts its failures there, too. */
  readonly name: string;
  /** The cause as people read it. Default: `name`. */
  readonly title?: string | undefined;
  /** Causes as they are without this rule. */
  readonly fingerprints?: readonly string[] | undefined;
  readonly handlers?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly messages?: readonly string[] | undefined;
  /** The cause that the failures join. Default: the one with the rule's name; of a rule that splits, the one they have. */
  readonly into?: string | undefined;
  /** A cause for each value. A failure without the value stays in the cause itself. */
  readonly splitBy?: (typeof SPLIT_BY)[number] | undefined;
  /** A pattern: failures with a message that matches are a cause apart. */
  readonly splitPattern?: string | undefined;
}

/** A problem of a rule, in one of its fields. */
export interface RuleProblem {
  readonly field: keyof CauseRule;
  /** To be printed after the name of the rule: `title must have …`. */
  readonly message: string;
}

/** Rules in force at once. */
export const MAX_RULES = 500;
/** Longer patterns are refused, so that a match takes a bounded time. */
export const MAX_GLOB = 200;
export const MAX_STARS = 10;
const MAX_FINGERPRINTS = 1_000;
const MAX_PATTERNS = 50;
export const MAX_TITLE = 200;

/** The characters of a name, for messages. */
export const CAUSE_NAME = 'letters, digits and _ . : - (at most 100, a letter or digit first)';
/** Names of causes, as rules and handlers give them: `card-expired`, `billing.card_expired`. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,99}$/u;
/** Control characters, and those that turn a text around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const FINGERPRINT = /^[a-z][a-z\d]{1,9}:[\da-f]{16}$/;
const LISTS = ['handlers', 'types', 'codes', 'messages'] as const;

export function isCauseName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

function isTitle(title: string): boolean {
  return title.trim() !== '' && title.length <= MAX_TITLE && !UNPRINTABLE.test(title);
}

/** All problems of a rule. Pure. */
export function ruleProblems(rule: CauseRule): readonly RuleProblem[] {
  const { name, title, fingerprints = [], into, splitBy, splitPattern } = rule;
  const problems: RuleProblem[] = [];
  const add = (field: keyof CauseRule, message: string) => void problems.push({ field, message });
  if (!isCauseName(name)) add('name', `its name must be ${CAUSE_NAME}`);
  if (title !== undefined && !isTitle(title))
    add('title', `title must have 1 to ${MAX_TITLE} characters, without control characters`);
  if (fingerprints.length > MAX_FINGERPRINTS)
    add('fingerprints', `fingerprints has more than ${MAX_FINGERPRINTS} entries`);
  for (const each of fingerprints)
    if (!FINGERPRINT.test(each))
      add('fingerprints', `${JSON.stringify(each)} is not a fingerprint`);
  if (into !== undefined && !FINGERPRINT.test(into))
    add('into', `${JSON.stringify(into)} is not a fingerprint`);
  for (const list of LISTS) {
    const patterns = rule[list] ?? [];
    if (patterns.length > MAX_PATTERNS) add(list, `${list} has more than ${MAX_PATTERNS} entries`);
    problems.push(...patterns.flatMap((pattern) => patternProblem(list, pattern)));
  }
  if (splitPattern !== undefined) problems.push(...patternProblem('splitPattern', splitPattern));
  if (splitBy !== undefined && splitPattern !== undefined)
    add('splitPattern', 'it splits either by a value or by a pattern, not by both');
  if (fingerprints.length === 0 && LISTS.every((list) => (rule[list] ?? []).length === 0))
    add('name', 'it matches nothing: give fingerprints, handlers, types, codes or messages');
  return problems;
}

function patternProblem(field: keyof CauseRule, pattern: string): readonly RuleProblem[] {
  const list = field === 'splitPattern' ? 'split_pattern' : field;
  const stars = pattern.split('*').length - 1;
  if (pattern.length > MAX_GLOB)
    return [{ field, message: `a pattern of ${list} has more than ${MAX_GLOB} characters` }];
  if (stars > MAX_STARS)
    return [{ field, message: `a pattern of ${list} has more than ${MAX_STARS} stars` }];
  return pattern === '' ? [{ field, message: `a pattern of ${list} is empty` }] : [];
}
