import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { eventsSettings } from './events-settings.ts';

const HEAD = `version: "1.1.0"
jobs: { handlers: { chunking.json_parsed: { command: ["./chunk.sh"], idempotent: true } } }
`;

describe('buses and events of a file', () => {
  it('are read with their defaults', () => {
    const { config, problems } = parseConfig(`${HEAD}
buses: { main: { url: "nats://127.0.0.1:4222" } }
events:
  sources:
    chunking:
      bus: main
      stream: docs
      subject: json.parsed
      handler: chunking.json_parsed
      key: ["data.message_ids"]
      dead_letters: { publish_to: chunking.dlq }
`);
    expect(problems).toEqual([]);
    expect(config && eventsSettings(config)).toEqual({
      buses: new Map([['main', 'nats://127.0.0.1:4222']]),
      sources: [
        {
          name: 'chunking',
          bus: 'main',
          stream: 'docs',
          subject: 'json.parsed',
          handler: 'chunking.json_parsed',
          key: ['data.message_ids'],
          prefetch: 256,
          maxWaiting: 10_000,
          direct: false,
          publishTo: 'chunking.dlq',
        },
      ],
    });
  });

  it('are empty where the file has none', () => {
    const { config } = parseConfig(HEAD);
    expect(config && eventsSettings(config)).toEqual({ buses: new Map(), sources: [] });
  });

  it('may have the store itself as a bus, which needs neither stream nor queue', () => {
    const { config, problems } = parseConfig(`${HEAD}
buses: { main: { url: "store:" } }
events: { sources: { chunking: { bus: main, handler: chunking.json_parsed } } }
`);
    expect(problems).toEqual([]);
    expect(config && eventsSettings(config).buses.get('main')).toBe('store:');
  });

  it('refuse direct where it cannot be: on the store, and where a person decides about unknown effects', () => {
    const { problems } = parseConfig(`version: "1.1.0"
jobs:
  handlers:
    careful: { command: ["./pay.sh"], on_unknown: dead_letter }
    plain: { command: ["./chunk.sh"], idempotent: true }
buses: { main: { url: "store:" }, jet: { url: "nats://host" } }
events:
  sources:
    stored: { bus: main, handler: plain, direct: true }
    paying:
      bus: jet
      stream: s
      handler: careful
      direct: true
    chunking: { bus: jet, stream: s, handler: plain, direct: true }
`);
    expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['invalid_source', 9, expect.stringContaining('stored cannot be direct: on store:')],
      ['invalid_source', 14, expect.stringContaining('paying cannot be direct: after a crash')],
    ]);
  });

  it('report all wrong names at once, with their lines', () => {
    const { problems } = parseConfig(`${HEAD}
buses:
  main: { url: "kafka://host" }
  rabbit: { url: "amqp://host" }
  jet: { url: "nats://host" }
events:
  sources:
    chunking:
      bus: other
      handler: nobody
    parsing: { bus: rabbit, stream: s, handler: chunking.json_parsed }
    failed: { bus: jet, queue: q, handler: chunking.json_parsed }
`);
    expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['invalid_source', 5, 'main has an address that no adapter knows'],
      ['invalid_source', 11, expect.stringContaining('the bus other')],
      ['invalid_source', 12, expect.stringContaining('the handler nobody')],
      ['invalid_source', 13, 'parsing has no queue'],
      ['invalid_source', 14, 'failed has no stream'],
    ]);
  });

  it('refuse dead letters that would come back to their own source, and a destination that the store does not have', () => {
    const { problems } = parseConfig(`${HEAD}
buses: { jet: { url: "nats://host" }, rabbit: { url: "amqp://host" }, main: { url: "store:" } }
events:
  sources:
    wide: { bus: jet, stream: s, subject: "docs.>", handler: chunking.json_parsed, dead_letters: { publish_to: docs.dlq } }
    token: { bus: jet, stream: s, subject: "docs.*.new", handler: chunking.json_parsed, dead_letters: { publish_to: docs.a.dlq } }
    parsing: { bus: rabbit, queue: parsing, handler: chunking.json_parsed, dead_letters: { publish_to: parsing } }
    own: { bus: main, handler: chunking.json_parsed, dead_letters: { publish_to: own } }
    lost: { bus: main, handler: chunking.json_parsed, dead_letters: { publish_to: nobody } }
    well: { bus: main, handler: chunking.json_parsed, dead_letters: { publish_to: own } }
`);
    expect(problems.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['invalid_source', 7, 'wide takes docs.dlq itself: its dead letters would be its events'],
      ['invalid_source', 9, 'parsing takes parsing itself: its dead letters would be its events'],
      ['invalid_source', 10, 'own takes own itself: its dead letters would be its events'],
      ['invalid_source', 11, expect.stringContaining('no source on the bus main has the subject')],
    ]);
  });
});
