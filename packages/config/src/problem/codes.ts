/** The meaning of a code. A file with an error is not used; a lint is a warning about the behaviour of a valid file. */
export interface CodeDoc {
  readonly kind: 'error' | 'warning' | 'lint';
  /** The fault, or its consequence. */
  readonly meaning: string;
  /** The remedy, as an instruction. */
  readonly remedy: string;
}

const docOf =
  (kind: CodeDoc['kind']) =>
  (meaning: string, remedy: string): CodeDoc => ({
    kind,
    meaning,
    remedy,
  });
const error = docOf('error');
const warning = docOf('warning');
const lint = docOf('lint');

/** Every code that a problem may carry. `docs/reference/configuration.md` is made from it. */
export const PROBLEM_CODES = {
  too_large: error(
    'The file has more than 256 KiB, or too many tokens.',
    'Remove text that is not configuration; let similar policies share values with `extends`.',
  ),
  not_utf8: error(
    'The file is not UTF-8 text, or contains control characters.',
    'Save it as UTF-8.',
  ),
  syntax_error: error(
    'The file is not valid YAML 1.2 or JSON. Nothing else is checked until it is.',
    'Correct the line; most often it is indentation, a missing quote or a missing colon.',
  ),
  too_deep: error(
    'Maps and lists are nested more than 32 levels deep.',
    'Look for a mistake in the indentation.',
  ),
  too_many_aliases: error(
    'There are more than 100 aliases (`*name`), an alias contains itself, or they multiply to too many values.',
    'Write the values out, or use `extends`.',
  ),
  unknown_alias: error(
    'An alias (`*name`) has no anchor (`&name`) before it.',
    'Add the anchor. If the text is not meant as an alias, put it in quotes.',
  ),
  custom_tag: error(
    'A value has a YAML tag (`!name`). Tags are not supported: a file is plain data.',
    'Remove the tag, or put the text in quotes.',
  ),
  forbidden_key: error(
    'A key is `__proto__`, `constructor` or `prototype`, is longer than 200 characters, or is not a text.',
    'Choose another name.',
  ),
  duplicate_key: error(
    'A map has the same key twice, so one of the two would be ignored.',
    'Remove one of the two.',
  ),
  unknown_key: error(
    'The key does not exist at this place.',
    'Correct it; the suggestion is the known key with the nearest spelling.',
  ),
  missing_field: error(
    'A required key is missing, and neither `extends` nor `global_defaults` supplies it. A file of version 1.0.0 must have `policies` and `subsystem_mappings`.',
    'Add the key.',
  ),
  wrong_type: error(
    'A value has the wrong type, such as a text in place of a number.',
    'Write a value of the type that the message names.',
  ),
  out_of_range: error(
    'A value is outside the allowed range.',
    'Write a value in the range that the message names.',
  ),
  delay_above_max: error(
    'An entry of `delays` is above `max_delay`.',
    'Raise `max_delay`, or lower the entry.',
  ),
  decorrelated_schedule: error(
    'A policy with `backoff_type: schedule` has `jitter_type: decorrelated`, which computes each wait from the wait before and ignores the list of delays.',
    'Use another `jitter_type`, such as `proportional`.',
  ),
  max_delay_below_base: error(
    '`max_delay` is below `base_delay`, so the cap would cut the first wait.',
    'Raise `max_delay`, or lower `base_delay`.',
  ),
  unsupported_version: error(
    'This version of Redrive cannot read the version of the file.',
    'Use a newer Redrive, or rewrite the file in version 1.1.0.',
  ),
  id_mismatch: error(
    'The `id` of a policy differs from its key.',
    'Leave `id` out, or make it the same as the key.',
  ),
  name_collision: error(
    'The name of a policy is also the name of a preset, of another policy, of a category or of a subsystem path.',
    'Choose another name. To change a preset, add `extends` with its name.',
  ),
  unknown_policy: error(
    'A mapping, a handler, a load or `extends` names a policy that does not exist.',
    'Define the policy, or correct the name.',
  ),
  invalid_schedule: error(
    'A schedule has both `every` and `cron` or neither, a cron expression or a time zone that is not valid, a payload that is not JSON, or a handler that is not in `jobs.handlers`.',
    'The message says which. `every: 900` ticks every 15 minutes.',
  ),
  invalid_handler: error(
    'A handler has two of `command`, `module` and `http`, an `export` without a `module`, an empty `command`, or a request that is not allowed.',
    'Keep one of them. The first entry of `command` is the name of a program. The host of a request must be in `jobs.http.targets`, its headers without secrets.',
  ),
  invalid_source: error(
    'A source of events names a bus or a handler that the file does not declare, lacks the name of its stream or queue, cannot be `direct`, or its bus has an address that no adapter knows.',
    'Declare the bus under `buses` and the handler under `jobs.handlers`; give a source of JetStream its `stream`, and one of RabbitMQ its `queue`.',
  ),
  invalid_sweep: error(
    'A collection of `sweeps` names a bus, a source of events or a field that cannot be, has a template without a field, has no event, destination or policy, has a database that no adapter knows, or uses one status for two things.',
    'Declare the bus under `buses`; give a collection that is not in the preset its `event`, `destination` and `policy`.',
  ),
  invalid_server: error(
    'The trusted proxy of `server` has no address or no role, an address that cannot be read, or loopback addresses without a secret.',
    'Name the addresses from which the proxy sends, and the groups of each role.',
  ),
  invalid_cause: error(
    'A rule of `causes` has a name, a title, a fingerprint or a pattern that is not allowed, matches nothing, splits in two ways, or there are more than 500.',
    'Correct the rule as the message says; `redrive dlq groups` shows fingerprints.',
  ),
  invalid_escalation: error(
    'A channel of `escalation` has no usable address or program, a tier names a channel that does not exist, or the calendar or a range of addresses cannot be read.',
    'Give each channel either `url` (https) or `command`; declare the channels that tiers name.',
  ),
  postgres_only: error(
    '`store.schema` or `store.connections` is given, but the store is a SQLite file.',
    'Remove the line, or write a `postgres://` address in `store.url`. If the address is in `--store` or `REDRIVE_STORE`, write `?schema=` or `?connections=` there.',
  ),
  extends_cycle: error(
    'A policy extends itself, directly or through others.',
    'Remove one `extends` of the circle that the message shows.',
  ),
  invalid_exception_name: error(
    'An entry of `retryable_exceptions` or `non_retryable_exceptions` cannot be the name or code of an error.',
    'Write one name per entry, without spaces; patterns are not supported.',
  ),
  invalid_override: error(
    'A flag or an environment variable contradicts another value of a policy.',
    'Change the variable, or the value that it contradicts.',
  ),
  too_many_problems: warning(
    'There are more than 100 problems. Only the first 100 are listed.',
    'Correct these first.',
  ),
  newer_field: warning(
    'A file of version 1.0.0 uses a key that version 1.1.0 added. This Redrive accepts it, older programs do not.',
    'Write `version: "1.1.0"`, or run `redrive config migrate`.',
  ),
  newer_version: warning(
    'The file has a newer minor version. Its new keys are unknown keys here.',
    'Use a newer Redrive.',
  ),
  undefined_mapping: warning(
    'A mapping of a file of version 1.0.0 names a policy that does not exist. The default of its group is used, else the global defaults; `config show` names the policy. From version 1.1.0 on this is the error `unknown_policy`.',
    'Define the policy, or remove the mapping.',
  ),
  unknown_category: warning(
    '`alerts.categories` names a category that is not built in and has no policy in the file.',
    'Correct the code, unless a program defines the category itself.',
  ),
  unused_policy: warning(
    'No mapping, handler, load or other policy names this policy.',
    'Map the policy or remove it. Ignore the warning if your code names the policy.',
  ),
  unknown_exception: warning(
    'A name in a list of errors is not an error type of JavaScript, Node or Redrive. Your own code may define it.',
    'Check the spelling. Ignore the warning if your code throws such an error.',
  ),
  unused_breaker_value: warning(
    'A value of the circuit breaker is outside the allowed range. The breaker is off, so the value is not used.',
    'Correct or remove it before you switch the breaker on.',
  ),
  env_file_syntax: error(
    'A line of the environment file is not an assignment.',
    'Write `NAME=value`, or make the line a comment with `#`.',
  ),
  malformed_variable: error(
    'The value of an environment variable is malformed or outside its range, or another variable that belongs to it is missing or contradicts it.',
    'Write a plain number in the unit that its name says, or set the variable that is missing.',
  ),
  empty_variable: warning(
    'An environment variable is set, but empty. It has no effect.',
    'Give it a value, or remove it.',
  ),
  unknown_variable: warning(
    'The name of an environment variable is nearly the name of a variable of Redrive. It has no effect.',
    'Correct its name.',
  ),
  unreadable_file: error(
    'A file does not exist, is too large, is not UTF-8 text, this user may not read it, or its file system does not answer.',
    'Create the file, or make it readable.',
  ),
  world_writable: warning(
    'Every user of the machine can change the file.',
    'Run `chmod o-w` on it.',
  ),
  watch_degraded: warning(
    'The operating system does not watch a directory. Redrive compares the files at intervals instead (`pollMs`).',
    "Raise the machine's limit of file watchers, or reload with SIGHUP.",
  ),
  weak_jitter: lint(
    '`full` or `equal` jitter with a small amount hardly spreads the load: callers that failed together retry together.',
    'Use an amount near 1.',
  ),
  ttl_too_short: lint(
    'The waits alone take longer than the TTL, so the last attempts never start.',
    'Raise `ttl`, or lower `max_attempts` or the delays.',
  ),
  unstable_retries: lint(
    'At the declared load, retries would keep an overload going after its cause is gone: `utilisation`, multiplied by the largest number of calls that one request can cause, is 1 or more. Attempts of stored layers multiply. In-process layers count their retries together, so only the layer with the most attempts counts.',
    'Retry in one layer only, give the policies a `dependency` (and so a retry budget), or lower `max_attempts`.',
  ),
  silent_at_least_once: lint(
    'A handler sets neither `idempotent` nor `on_unknown`. Handlers run at least once: after a crash or a timeout the same job runs again, even if its effect was applied.',
    'Set `idempotent: true` if a second run does no harm, or `on_unknown: dead_letter` if a person must decide.',
  ),
  daily_interval: lint(
    'An interval of a day or more ticks at midnight UTC, counted in days since 1970, whatever the local time is.',
    'Use `cron` with a `time_zone`.',
  ),
  stuck_threshold_hides_backoff: lint(
    '`sweeps.stuck_threshold` is longer than the longest back-off, so the back-off never delays anything; neither does the dynamic back-off, which is at most 8 times as long, where the threshold is longer than that.',
    'To use the back-off, set `sweeps.stuck_threshold` below the longest wait.',
  ),
} satisfies Readonly<Record<string, CodeDoc>>;

export type ProblemCode = keyof typeof PROBLEM_CODES;
