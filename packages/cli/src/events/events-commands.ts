import type { CommandGroup } from '../command/command-spec.ts';

/** `redrive events …` */
export const EVENTS_COMMANDS: CommandGroup = {
  name: 'events',
  aliases: ['event'],
  summary: 'sources of events: check and create them at the broker, publish, look',
  commands: [
    {
      name: 'check',
      summary: 'check the sources of the configuration at their brokers: names, rights, settings',
      args: [{ name: '[sources...]', summary: 'names of sources; all without one' }],
      uses: 'store',
      details:
        'Reports all problems at once. An error keeps "redrive start" from starting: messages could not be taken, or would be lost. A source without key whose messages have no id may run an event twice.',
      examples: ['redrive events check', 'redrive events check chunking --json'],
      json: `
        sources | list | in the order of the file
        sources[].name | text | name of the source
        sources[].bus | text | address of its broker, without credentials
        sources[].waiting | number or null | messages that wait in the broker; null: the broker does not say
        sources[].unacknowledged | number or null | messages that are delivered and not acknowledged
        sources[].problems | list | empty: all is well
        sources[].problems[].severity | "error" or "warning" | an error: messages cannot be taken, or are lost
        sources[].problems[].problem | text | what is wrong
        sources[].problems[].remedy | text | what to do
      `,
      exits: { failed: 'a source has an error', unreachable: 'a broker does not answer' },
      load: async () => (await import('./check.ts')).runEventsCheck,
    },
    {
      name: 'init',
      summary: 'create the streams, queues and consumers of the sources where they are missing',
      args: [{ name: '[sources...]', summary: 'names of sources; all without one' }],
      uses: 'store',
      details: 'Existing ones stay as they are.',
      examples: ['redrive events init'],
      json: `
        created | list | empty: nothing was missing
        created[].source | text | name of the source
        created[].name | text | what was created, such as "stream docs"
      `,
      exits: { unreachable: 'a broker does not answer' },
      load: async () => (await import('./check.ts')).runEventsInit,
    },
    {
      name: 'publish',
      summary:
        'publish one event to the subject or queue of a source, and wait for the confirmation',
      args: [
        { name: '<source>', summary: 'name of the source' },
        { name: '[body]', summary: 'JSON; "-" or nothing: what is piped in' },
      ],
      options: [
        '--id <id> | id of the message: a second one with the same id is a duplicate',
        '--subject <subject> | another subject or queue than that of the source',
      ],
      uses: 'store',
      examples: [`redrive events publish chunking '{"data":{"message_ids":["abc"]}}' --id m-1`],
      json: `
        destination | text | the subject
        id | text or null | as given
        duplicate | boolean | a message with this id was published before
      `,
      exits: {
        failed: 'the broker refused it, or no destination takes it',
        unreachable: 'the broker does not answer, so it may be published or not',
      },
      load: async () => (await import('./messages.ts')).runEventsPublish,
    },
    {
      name: 'tail',
      summary:
        'show the oldest messages of a source that are not acknowledged, without taking them',
      args: [{ name: '<source>', summary: 'name of the source' }],
      options: ['--limit <count> | at most this many (10)'],
      uses: 'store',
      details:
        'Payloads are masked and cut. RabbitMQ cannot be looked into without disturbing counts and order. Messages of the bus "store:" are jobs already: "redrive jobs list --queue <source>".',
      examples: ['redrive events tail chunking'],
      streams: true,
      json: `
        id | text or null | id of the message
        position | text or null | stream and sequence
        destination | text | the subject that it was published to
        redelivered | boolean | it was delivered before
        bytes | number | size of its body
        body | any | secrets masked and cut
      `,
      exits: { unreachable: 'the broker does not answer' },
      load: async () => (await import('./messages.ts')).runEventsTail,
    },
  ],
};
