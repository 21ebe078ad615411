import {
  defineSection,
  durationOrNone,
  optional,
  policyName,
  required,
  seconds,
  text,
  texts,
  value,
  yesOrNo,
} from './section.ts';

/** The preset: collections that an entry with this name has its event, its destination and its policy from. */
export const SWEEP_PRESET: Readonly<Record<string, SweepPreset>> = {
  archives: preset(
    'archive_id',
    false,
    'ArchiveIngested archive.ingested ParsingFailed parsing.failed',
  ),
  messages: preset('message_ids', true, 'JSONParsed json.parsed ChunkingFailed chunking.failed'),
  chunks: preset(
    'chunk_ids',
    true,
    'ChunksPrepared chunks.prepared EmbeddingFailed embedding.failed',
  ),
  threads: preset(
    'thread_ids',
    true,
    'SummarizationRequested summarization.requested SummarizationFailed summarization.failed',
  ),
};

interface SweepPreset {
  readonly event: string;
  readonly destination: string;
  /** The event that the service publishes after a failed attempt. */
  readonly failedEvent: string;
  readonly failedDestination: string;
  /** The template of the event's data, by the field with the document's id. */
  readonly data: (idField: string) => SweepTemplate;
}

/** JSON in which the text `$name` is the value of a field. */
export interface SweepTemplate {
  readonly [name: string]: TemplateValue;
}

type TemplateValue = string | number | boolean | null | readonly TemplateValue[] | SweepTemplate;

function preset(name: string, isList: boolean, names: string): SweepPreset {
  const [event = '', destination = '', failedEvent = '', failedDestination = ''] = names.split(' ');
  const data = (id: string) => ({ [name]: isList ? [`$${id}`] : `$${id}` });
  return { event, destination, failedEvent, failedDestination, data };
}

const fieldName = (meaning: string, fallback: string) => value(text, meaning, fallback);
const ofPreset = (meaning: string, what: string) => ({
  ...value(text, meaning),
  fallbackText: `of \`archives\`, \`messages\`, \`chunks\` and \`threads\`: ${what}; required otherwise`,
});

/** Sweeps of stuck documents, which `redrive start` runs beside the jobs. */
export const sweepsSection = defineSection('sweeps', {
  kind: 'object',
  meaning:
    'Sweeps of stuck documents: the events of documents that stay pending are sent again, up to the limit of their policy.',
  fields: {
    interval: seconds('The time from the start of one sweep to the start of the next.', 900),
    stuck_threshold: seconds(
      'How old the last attempt must be before a sweep sends the event of a document again.',
      86_400,
    ),
    collections: {
      kind: 'map',
      key: 'collection',
      meaning: 'Collections or tables with documents, by name.',
      of: {
        kind: 'object',
        meaning: 'A collection or table that is swept.',
        fields: {
          source: optional(
            text,
            'The database: `mongodb://host/database`, `postgres://host/database` or `sqlite:<file>`, relative to the directory of this file. Redrive never shows user names and passwords in it.',
            'the database of `MONGODB_HOST`; required without it',
          ),
          table: optional(
            text,
            'The name of the collection or table in the database.',
            "the entry's own name",
          ),
          id_field: fieldName('The field with the id.', '_id'),
          status_field: fieldName('The field with the status.', 'status'),
          count_field: fieldName('The field with the number of attempts.', 'attemptCount'),
          time_field: fieldName('The field with the time of the last attempt.', 'lastAttemptTime'),
          mark_field: fieldName('The field in which a sweep keeps its claim.', 'retry_sweep'),
          error_field: fieldName('The field with the last error.', 'lastError'),
          created_field: optional(
            text,
            'The field with the time of the insert, for `minimum_age`.',
            'none; MongoDB: the time of the ObjectId',
          ),
          pending: value(
            texts,
            'Statuses of documents that wait or are being processed. The first is that of a new document.',
            ['pending', 'processing'],
          ),
          done: value(texts, 'Statuses of documents that are done.', ['processed']),
          failed: value(
            text,
            'The status of a document that is beyond its attempts.',
            'failed_max_retries',
          ),
          policy: policyName(
            'The policy: its `max_attempts` limit the attempts at a document, and its delays are the back-off.',
            '`documents.<collection>`',
          ),
          stuck_threshold: {
            ...value(durationOrNone, 'Like `sweeps.stuck_threshold`, for this collection only.'),
            unit: 'seconds',
            fallbackText: '`sweeps.stuck_threshold`',
          },
          minimum_age: seconds(
            'A document that was never attempted is not sent until it is this old.',
            0,
            durationOrNone,
          ),
          dynamic_backoff: value(
            yesOrNo,
            'Makes the back-off up to 8 times as long while less than half of the last events are done. Counts only events that were published at least `stuck_threshold` ago.',
            false,
          ),
          dependency: optional(
            text,
            'The dependency of the service that processes the documents: while its breaker is open or its gate is closed, no document is sent.',
            'none',
          ),
          priority_field: optional(
            text,
            'The field that gives events their priority: a time or a number.',
            'none: all have the same',
          ),
          priority: value(
            { kind: 'choice', values: ['newest', 'highest'] },
            '`newest`: `priority_field` is a time, and the newest comes first. `highest`: it is a number.',
            'newest',
          ),
          changes: optional(
            texts,
            'MongoDB: changes of documents that send the event at once: `insert`, `update`, `replace`, `delete`. The server must be a member of a replica set.',
            'none: the application sends it',
          ),
          bus: optional(
            text,
            'The bus: a name of `buses`.',
            '`rabbitmq`, the broker of `RABBITMQ_HOST`; required without it',
          ),
          event: ofPreset('The type of the event that is sent again.', 'that of the preset'),
          destination: ofPreset('The subject or queue of the event.', 'that of the preset'),
          failed_event: optional(
            text,
            'The type of the event that the service publishes after a failed attempt, with `documentsOn` in its code. A sweep does not send it.',
            'of the preset: `ParsingFailed` for `archives`; otherwise none',
          ),
          failed_destination: optional(
            text,
            'The subject or queue of `failed_event`.',
            'of the preset: `parsing.failed` for `archives`',
          ),
          event_field: optional(
            text,
            'The field with the whole event that started the document, as JSON. It is sent again with a new id.',
            'none',
          ),
          event_source: {
            kind: 'object',
            optional: true,
            meaning:
              'The source that stores the events of the documents. A document without `event_field` gets its newest stored event again. Documents of one event get it together, once.',
            fields: {
              source: required(text, 'A name of `events.sources`.'),
              ids: optional(
                texts,
                'Paths of the ids of documents in the body, such as `data.message_ids`. Of each event the first 1,000 ids are kept.',
                '`key` of the source',
              ),
            },
          },
          data: {
            kind: 'json',
            meaning:
              'A template of `data` of the event, for documents without one of the two above: any JSON, in which the text `$name` is the value of the field `name` of the document, and `$$name` is the text `$name`.',
            fallbackText:
              'of the preset: `{ archive_id: $_id }`, `{ message_ids: [$_id] }`, `{ chunk_ids: [$_id] }`, `{ thread_ids: [$_id] }`; otherwise `{ id: $_id }`, with the `id_field`',
          },
        },
      },
    },
  },
});
