import {
  count,
  defineSection,
  optional,
  required,
  text,
  texts,
  value,
  yesOrNo,
} from './section.ts';

/** Message brokers, by the name that sources use. */
export const busesSection = defineSection('buses', {
  kind: 'map',
  key: 'bus',
  meaning: 'Message brokers, by the name that the sources of events use.',
  of: {
    kind: 'object',
    meaning: 'A message broker.',
    fields: {
      url: required(
        text,
        '`store:` (the store itself, without a broker), `nats://host:4222` (NATS JetStream) or `amqp://host:5672` (RabbitMQ). Redrive never shows user names and passwords in it.',
      ),
    },
  },
});

/** Events of message brokers, which `redrive start` takes beside the jobs. */
export const eventsSection = defineSection('events', {
  kind: 'object',
  meaning: 'Events of message brokers. Each event becomes a job of its handler.',
  fields: {
    sources: {
      kind: 'map',
      key: 'source',
      meaning: 'Sources, by name. The name is also the queue of their jobs.',
      of: {
        kind: 'object',
        meaning: 'A source of events.',
        fields: {
          bus: required(
            text,
            'The bus: a name of `buses`, or `rabbitmq`, the broker of `RABBITMQ_HOST`.',
          ),
          handler: required(text, 'The handler: a name of `jobs.handlers`.'),
          stream: value(text, 'JetStream: the stream.'),
          subject: optional(
            text,
            'JetStream: the subject; wildcards are allowed. `store:`: the destination of its messages.',
            "the source's name",
          ),
          queue: value(text, 'RabbitMQ: the queue.'),
          key: optional(
            texts,
            'Paths of the ids in the body that identify an event, such as `data.message_ids`.',
            'the message id; JetStream: else stream and sequence',
          ),
          headers: optional(texts, 'Headers of messages that are kept with the jobs.', 'none'),
          prefetch: value(
            { kind: 'integer', min: 1, max: 10_000 },
            'The number of messages that are taken and not acknowledged.',
            256,
          ),
          max_waiting: value(
            count,
            'With this many ready events in the store, the source takes no more.',
            10_000,
          ),
          direct: value(
            yesOrNo,
            'Runs a message at its first delivery and stores it only when it fails. The source then recognises no duplicates.',
            false,
          ),
          dead_letters: {
            kind: 'object',
            meaning: 'Dead letters of the source.',
            fields: {
              publish_to: optional(
                text,
                'The destination on the same bus that gets each dead letter of the source, with its whole event, and the originals of messages above 1 MiB, which the store does not take.',
                'none: a message above 1 MiB stops the source',
              ),
            },
          },
        },
      },
    },
  },
});
