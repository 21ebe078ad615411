import { NOTICES } from './pages.ts';
import { type Words, words } from './words.ts';

/** Names that a configuration lists: the values of some labels. */
export type NameKind = Words<'operations queues categories dependencies services collections'>;

/** A label: its values are fixed, or names of the configuration. Any other value is exposed as `_other`. */
export interface LabelEntry {
  readonly meaning: string;
  readonly values?: readonly string[] | undefined;
  readonly from?: NameKind | undefined;
}

/** Stands for every value that is not known in advance. */
export const OTHER = '_other';

/** Stands for calls and jobs without a category. */
export const NO_CATEGORY = 'none';

/** Values of one label that a metric has at most, without `_other`. */
export const MAX_VALUES = 200;

/** Later attempts are counted with this one. */
export const MAX_ATTEMPT = 25;

export const RESULTS = words(
  'first_try recovered exhausted expired non_retryable refused cancelled handed_over',
);
export const ENTRIES = words(
  'succeeded failed rate_limited interrupted blocked cancelled lease_lost process_lost',
);
export const REFUSALS = words(
  'max_attempts_exceeded allowance_exhausted ttl_exceeded beyond_horizon budget_exhausted breaker_open gate_closed kill_switch',
);
export const DEAD_REASONS = words('max_attempts ttl_exceeded non_retryable');
export const RUNGS = words('call event job document');
export const BREAKER_STATES = words('closed open half_open');
export const JOB_STATES = words('scheduled ready parked leased dead');
export const BULK_STATES = words('running paused stopped');
export const LAGS = words('median p99 max');

/**
 * Of metrics `a{b}`, by `b`. Where two metrics have a label of one name and other values, a suffix distinguishes them.
 */
export const LABELS: Readonly<Record<string, LabelEntry>> = {
  operation: { meaning: 'the operation of a call, or the handler of a job', from: 'operations' },
  queue: { meaning: 'the queue of a job', from: 'queues' },
  category: {
    meaning:
      'the category of a call or of the policy of a job, such as `RETRY_KV_GET`; `none`: it has none',
    from: 'categories',
  },
  dependency: { meaning: 'the dependency, or the policy that names none', from: 'dependencies' },
  service: { meaning: 'the source of an event', from: 'services' },
  collection: { meaning: 'the collection of a document', from: 'collections' },
  attempt: {
    meaning: 'the attempt that succeeded; 25 stands for all later ones',
    values: upTo(25),
  },
  'result:operation': { meaning: 'how the operation ended', values: RESULTS },
  'result:reload': { meaning: 'whether the change is in force', values: words('success failure') },
  entry: { meaning: 'how the attempt was entered in the account', values: ENTRIES },
  'cause:refusal': { meaning: 'why no further attempt was made', values: REFUSALS },
  'cause:park': {
    meaning: 'the kind of the cause',
    values: words('breaker local-breaker gate budget kill'),
  },
  reason: { meaning: 'why the item was given up, as in dead letters', values: DEAD_REASONS },
  act: {
    meaning: 'how the dead letter left',
    values: words('requeue purge retention archive'),
  },
  rung: { meaning: 'where the attempts run', values: RUNGS },
  'state:breaker': { meaning: 'a state of the breaker', values: BREAKER_STATES },
  'state:job': { meaning: 'a state of jobs', values: JOB_STATES },
  'state:bulk': { meaning: 'a state of bulk operations', values: BULK_STATES },
  scope: { meaning: 'the kind of target', values: words('all queue operation tenant schedule') },
  action: { meaning: 'whether the ledger answered or stored', values: words('hit record') },
  kind: { meaning: 'the kind of notice', values: NOTICES },
  collector: {
    meaning: 'the question to the store',
    values: words('counts dead_letters parks controls audit'),
  },
  label: {
    meaning: 'the label whose value was not known',
    values: words('operation service category'),
  },
  stat: { meaning: 'which of the delays', values: LAGS },
  version: { meaning: 'the version of the package' },
  node_version: { meaning: 'the version of Node' },
  status: { meaning: 'whether the run succeeded', values: words('success failure') },
  error_type: {
    meaning: 'the code of the error',
    values: words(
      'invalid_document message_too_large documents_unavailable documents_refused store_unavailable unexpected',
    ),
  },
};

function upTo(last: number): readonly string[] {
  return Array.from({ length: last - 1 }, (_, index) => String(index + 2));
}

/** The name of a label without its suffix, as it is exposed. */
export function exposedName(label: string): string {
  return label.split(':', 1)[0] ?? label;
}
