import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { isRefusal, Refusal } from '@redrive/operate/manifest';
import type { Place } from '../action/place.ts';
import { inWords, placeOf } from '../action/run-action.ts';
import type { Sugar } from '../action/sugar.ts';
import type { Invocation, Options } from '../command/command-spec.ts';
import { listOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';

export type Enqueued = AnswerOf<typeof ACTIONS.jobs.enqueue>['jobs'][number];

/** Sends batches of payloads with the same options, to a store or a server. */
export interface Enqueuer {
  /** @param skips leave out payloads that are wrong. */
  send(payloads: readonly string[], skips: boolean): Promise<readonly Enqueued[]>;
  close(): Promise<void>;
}

/** The output of `--json` for one job. */
export function documentOf({ id, handler, queue, outcome }: Enqueued, dry_run: boolean) {
  return { id, handler, queue, outcome, dry_run };
}

const SUGAR: Sugar = {
  name: 'enqueue',
  action: 'jobs.enqueue',
  args: [{ name: '<handler>' }],
  fields: { payload: 'payload_text', uniqueFor: 'unique_for_ms' },
  creates: true,
  render: () => Promise.reject(new Error('It prints by itself')),
};

export function enqueuer(invocation: Invocation): Enqueuer {
  const { options } = invocation;
  const dry_run = options.dryRun === true;
  const job = jobOf(invocation);
  let place: Place | undefined;
  return {
    send: (payloads, skip_invalid) =>
      inWords(SUGAR, async () => {
        const jobs = payloads.map((payload_text) => ({ ...job, payload_text }));
        const runs_elsewhere = options.runsElsewhere === true;
        const input = { jobs, runs_elsewhere, skip_invalid, dry_run };
        try {
          // The plan of a store that does not exist is that of its first input.
          if (place === undefined || dry_run) {
            await place?.close();
            place = await placeOf('jobs.enqueue', SUGAR, invocation, input);
          }
          const { answer } = await place.run({ input });
          return (answer as AnswerOf<typeof ACTIONS.jobs.enqueue>).jobs; // Of this action.
        } catch (error) {
          throw ofOneJob(error);
        }
      }),
    close: async () => place?.close(),
  };
}

/** All jobs have the same options: their fields are named without the number of the job. */
function ofOneJob(error: unknown): unknown {
  if (!isRefusal(error) || error.problems.length === 0) return error;
  const problems = error.problems.map(({ field, ...rest }) => {
    const name = field.replace(/^jobs\.\d+\./, '');
    return { ...rest, field: name, ...(name === 'payload_text' && { hint: QUOTES }) };
  });
  return new Refusal(error.kind, error.message, problems[0]?.hint, problems);
}

const QUOTES = `Check the quotes for your shell: --payload '{"to": "a@example.org"}'`;

/** Options that are fields of that name. */
const FIELDS = [
  ...['queue', 'tenant', 'priority', 'id', 'uniqueKey', 'uniqueFor', 'onConflict', 'policy'],
  ...[
    'batch',
    'maxAttempts',
    'limitKey',
    'idempotencyKey',
    'runAt',
    'deadline',
    'correlationId',
    'traceId',
  ],
] as const;

function jobOf({ args, options }: Invocation): Readonly<Record<string, unknown>> {
  const given = FIELDS.map((option) => [fieldOf(option), options[option]] as const);
  return {
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    handler: args[0],
    ...listOf(options, 'tag', (tags) => ({ tags })),
    ...listOf(options, 'header', (pairs) => ({ headers: headersOf(pairs) })),
  };
}

function fieldOf(option: string): string {
  return SUGAR.fields?.[option] ?? option.replaceAll(/[A-Z]/g, (at) => `_${at.toLowerCase()}`);
}

function listOf(options: Options, name: string, use: (list: readonly string[]) => object): object {
  const list = listOption(options, name);
  return list.length === 0 ? {} : use(list);
}

function headersOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
    throw new CliError('usage', `--header is not name=value: ${pair}`);
  });
  return Object.fromEntries(entries);
}
