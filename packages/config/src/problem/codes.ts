/** What a code means: an error keeps the file from being used; a lint is a warning about what a valid file does. */
export interface CodeDoc {
  readonly kind: 'error' | 'warning' | 'lint';
  /** What is wrong, or what will happen. */
  readonly meaning: string;
  /** What to do. */
  readonly remedy: string;
}

/** Every code that a problem may carry. `docs/reference/configuration.md` is made from it. */
export const PROBLEM_CODES = {
  too_large: {
    kind: 'error',
    meaning: 'The file has more than 256 KiB, or more parts than such a file can need.',
    remedy:
      'Remove what is not configuration; let policies that are alike share values with `extends`.',
  },
  not_utf8: {
    kind: 'error',
    meaning: 'The file is not UTF-8 text, or has control characters in it.',
    remedy: 'Save it as UTF-8.',
  },
  syntax_error: {
    kind: 'error',
    meaning: 'It is not YAML 1.2 or JSON. Nothing else is checked until it is.',
    remedy: 'Correct the line; most often it is indentation, a missing quote or a missing colon.',
  },
  too_deep: {
    kind: 'error',
    meaning: 'Maps and lists stand more than 32 deep in each other.',
    remedy: 'No configuration needs that: look for a slip in the indentation.',
  },
  too_many_aliases: {
    kind: 'error',
    meaning:
      'There are more than 100 aliases (`*name`), an alias contains itself, or they multiply to too many values.',
    remedy: 'Write the values out, or use `extends`.',
  },
  unknown_alias: {
    kind: 'error',
    meaning: 'An alias (`*name`) has no anchor (`&name`) before it.',
    remedy: 'Add the anchor, or put the text in quotes if no alias was meant.',
  },
  custom_tag: {
    kind: 'error',
    meaning: 'A value has a tag (`!name`) of its own. Files are data; tags are not run.',
    remedy: 'Remove the tag, or put the text in quotes.',
  },
  forbidden_key: {
    kind: 'error',
    meaning:
      'A key is called `__proto__`, `constructor` or `prototype`, is longer than 200 characters, or is no text.',
    remedy: 'Choose another name.',
  },
  duplicate_key: {
    kind: 'error',
    meaning: 'A map has the same key twice, so one of the two would not count.',
    remedy: 'Remove one.',
  },
  unknown_key: {
    kind: 'error',
    meaning: 'No such key is known here.',
    remedy: 'Correct it; the suggestion is the nearest known one.',
  },
  missing_field: {
    kind: 'error',
    meaning:
      'A key that must be there is not, and neither `extends` nor `global_defaults` has it. Files of version 1.0.0 must have `policies` and `subsystem_mappings`.',
    remedy: 'Add it.',
  },
  wrong_type: {
    kind: 'error',
    meaning: 'A value is of another kind than it must be, such as a text in place of a number.',
    remedy: 'Write what the message asks for.',
  },
  out_of_range: {
    kind: 'error',
    meaning: 'A value is outside what is allowed.',
    remedy: 'Write what the message asks for.',
  },
  max_delay_below_base: {
    kind: 'error',
    meaning: '`max_delay` is below `base_delay`, so the cap would cut the first wait.',
    remedy: 'Raise the one or lower the other.',
  },
  unsupported_version: {
    kind: 'error',
    meaning: 'The file is of a version that this Redrive cannot read.',
    remedy: 'Use a Redrive that can, or write the file anew in version 1.1.0.',
  },
  id_mismatch: {
    kind: 'error',
    meaning: 'A policy has an `id` that is not its key.',
    remedy: 'Leave `id` out, or make them the same.',
  },
  name_collision: {
    kind: 'error',
    meaning:
      'A name means two things: a built-in policy or another policy of the file, a category, or a subsystem path.',
    remedy: 'Choose another name; to change a built-in policy, say that you `extends` it.',
  },
  unknown_policy: {
    kind: 'error',
    meaning: 'A mapping, a handler, a load or `extends` names a policy that is not there.',
    remedy: 'Define the policy, or correct the name.',
  },
  invalid_handler: {
    kind: 'error',
    meaning:
      'A handler has both `command` and `module`, an `export` without a `module`, or an empty `command`.',
    remedy: 'Keep one of the two; a command begins with the name of a program.',
  },
  extends_cycle: {
    kind: 'error',
    meaning: 'A policy extends itself, directly or through others.',
    remedy: 'Break the circle.',
  },
  invalid_exception_name: {
    kind: 'error',
    meaning:
      'An entry of `retryable_exceptions` or `non_retryable_exceptions` cannot be the name or code of an error.',
    remedy: 'Write one name per entry, without spaces; patterns are not supported.',
  },
  invalid_override: {
    kind: 'error',
    meaning: 'A flag or an environment variable does not go together with the rest of a policy.',
    remedy: 'Change the variable, or the value that it contradicts.',
  },
  too_many_problems: {
    kind: 'warning',
    meaning: 'There are more than 100 problems; the others are left out.',
    remedy: 'Correct these first.',
  },
  newer_field: {
    kind: 'warning',
    meaning: 'A file of version 1.0.0 uses what version 1.1.0 has added. It works all the same.',
    remedy: 'Write `version: "1.1.0"`, or run `redrive config migrate`.',
  },
  newer_version: {
    kind: 'warning',
    meaning: 'The file is of a newer minor version. What is new in it would be an unknown key.',
    remedy: 'Use a newer Redrive.',
  },
  unused_policy: {
    kind: 'warning',
    meaning: 'No mapping, handler, load or other policy names this policy.',
    remedy: 'Map it or remove it; if only code names it, nothing is wrong.',
  },
  unknown_exception: {
    kind: 'warning',
    meaning:
      'A name in a list of errors is no error type that Redrive knows. Your own code may define it.',
    remedy: 'Check the spelling.',
  },
  unused_breaker_value: {
    kind: 'warning',
    meaning:
      'A value of the circuit breaker is outside what is allowed, but the breaker is off, so it does not count.',
    remedy: 'Correct or remove it before you switch the breaker on.',
  },
  env_file_syntax: {
    kind: 'error',
    meaning: 'A line of the environment file is no assignment.',
    remedy: 'Write `NAME=value`, or `#` before it.',
  },
  malformed_variable: {
    kind: 'error',
    meaning: 'An environment variable is not the number that it must be.',
    remedy: 'Write a plain number in the unit that its name says.',
  },
  empty_variable: {
    kind: 'warning',
    meaning: 'An environment variable is set, but empty. It changes nothing.',
    remedy: 'Give it a value, or remove it.',
  },
  unknown_variable: {
    kind: 'warning',
    meaning: 'An environment variable is nearly called like one of Redrive. It changes nothing.',
    remedy: 'Correct its name.',
  },
  unreadable_file: {
    kind: 'error',
    meaning:
      'A file is missing, too large, not permitted, no text, or not answered for by its file system.',
    remedy: 'Put it there, or make it readable.',
  },
  world_writable: {
    kind: 'warning',
    meaning: 'Every user of the machine can change the file, and so the behaviour of the system.',
    remedy: 'Run `chmod o-w` on it.',
  },
  watch_degraded: {
    kind: 'warning',
    meaning:
      'A directory cannot be watched. Changes are noticed all the same, by looking from time to time.',
    remedy: 'Raise the limit of file watchers of the machine, or reload by SIGHUP.',
  },
  weak_jitter: {
    kind: 'lint',
    meaning:
      '`full` or `equal` jitter with so small an amount hardly spreads the load: callers that failed together come back together.',
    remedy: 'Use an amount near 1, which is the textbook form of both.',
  },
  ttl_too_short: {
    kind: 'lint',
    meaning: 'The waits alone are longer than the TTL, so that the last attempts never start.',
    remedy: 'Raise `ttl`, or lower `max_attempts` or the delays.',
  },
  unstable_retries: {
    kind: 'lint',
    meaning:
      'At the declared load, retries would keep an overload alive after its cause is gone: the utilisation, multiplied by the most calls that one request can cause, is 1 or more. Attempts of stored layers multiply. Layers in process count their retries together, so only the layer with the most attempts counts.',
    remedy:
      'Retry in one layer only, give the policies a `dependency` (and so a retry budget), or lower `max_attempts`.',
  },
  silent_at_least_once: {
    kind: 'lint',
    meaning:
      'A handler says nothing about repeated effects. Handlers run at least once: after a crash or a timeout the same job runs again, though its effect may have happened.',
    remedy:
      'Say `idempotent: true` if that does no harm, or `on_unknown: dead_letter` if a person must decide.',
  },
  stuck_threshold_hides_backoff: {
    kind: 'lint',
    meaning:
      'Documents count as stuck only after a time that is longer than the longest back-off, so that the back-off never decides anything.',
    remedy: 'Lower `sweeps.stuck_threshold` below the longest wait, if the back-off is to count.',
  },
} as const satisfies Readonly<Record<string, CodeDoc>>;

export type ProblemCode = keyof typeof PROBLEM_CODES;
