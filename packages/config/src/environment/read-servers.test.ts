import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../load-config.ts';
import { parseConfig } from '../parse-config.ts';
import { eventsSettings } from '../settings/events-settings.ts';
import { maskUrls } from '../settings/store-settings.ts';
import { sweepsSettings } from '../settings/sweeps-settings.ts';

const HEAD = 'version: "1.1.0"\n';
const BARE = `${HEAD}sweeps: { collections: { archives: {}, threads: {} } }\n`;
const MONGODB = { MONGODB_HOST: 'documentdb', MONGODB_DATABASE: 'copilot' };
const RABBITMQ = { RABBITMQ_HOST: 'messagebus' };

async function load(
  environment: Record<string, string>,
  files: Record<string, string | Buffer> = {},
  text = BARE,
) {
  const directory = await mkdtemp(join(tmpdir(), 'redrive-servers-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, content] of Object.entries({ 'redrive.yaml': text, ...files }))
    writeFileSync(join(directory, name), content);
  const loaded = await loadConfig({ file: 'redrive.yaml', directory, environment });
  return { ...loaded, directory };
}

const messagesOf = ({ problems }: Awaited<ReturnType<typeof load>>) =>
  problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);

describe('the environment of the seeds', () => {
  it('names the database and the broker of collections that name none', async () => {
    const { config } = await load({
      ...{ ...MONGODB, MONGODB_PORT: '27018', MONGODB_USERNAME: 'root' },
      MONGODB_PASSWORD: "p@ss/w'rd",
      ...{ ...RABBITMQ, RABBITMQ_USERNAME: 'guest', RABBITMQ_PASSWORD: 'guest' },
    });
    const { collections } = sweepsSettings(config ?? never());
    const source = 'mongodb://root:p%40ss%2Fw%27rd@documentdb:27018/copilot?authSource=admin';
    expect(collections.map((one) => [one.name, one.source, one.event.bus])).toEqual([
      ['archives', source, 'rabbitmq'],
      ['threads', source, 'rabbitmq'],
    ]);
    const { buses } = eventsSettings(config ?? never());
    expect([...buses]).toEqual([['rabbitmq', 'amqp://guest:guest@messagebus:5672']]);
    expect(config?.sources.get('sweeps.collections.archives.source')).toEqual({
      kind: 'environment',
      where: 'MONGODB_HOST',
    });
    expect(maskUrls(source)).toBe('mongodb://***@documentdb:27018/copilot?authSource=admin');
  });

  it('is beaten by the file, collection by collection', async () => {
    const text = `${HEAD}buses: { main: { url: "nats://127.0.0.1" } }
sweeps: { collections: { archives: { source: "sqlite:/d.db", bus: main }, threads: { bus: main } } }\n`;
    const { config } = await load({ ...MONGODB, ...RABBITMQ }, {}, text);
    const { collections } = sweepsSettings(config ?? never());
    expect(collections.map((one) => [one.source, one.event.bus])).toEqual([
      ['sqlite:/d.db', 'main'],
      ['mongodb://documentdb:27017/copilot', 'main'],
    ]);
    expect([...eventsSettings(config ?? never()).buses.keys()]).toEqual(['main']);
  });

  it('has each secret in a file as well, without the line break at its end', async () => {
    const login = { MONGODB_USERNAME_FILE: 'user', MONGODB_PASSWORD_FILE: './secret' };
    const { config, files, directory } = await load(
      { ...MONGODB, ...login, ...RABBITMQ },
      { user: 'app', secret: 'hunter 2\n' },
    );
    const [archives] = sweepsSettings(config ?? never()).collections;
    expect(archives?.source).toContain('//app:hunter%202@');
    expect(files).toEqual(['redrive.yaml', 'user', 'secret'].map((name) => join(directory, name)));
  });

  it('comes from the environment file, too, which the process beats', async () => {
    const text = `${BARE}env_file: app.env\n`;
    const lines = 'MONGODB_HOST=a\nMONGODB_DATABASE=docs\nRABBITMQ_HOST=b\n';
    const { config } = await load({ MONGODB_HOST: 'c' }, { 'app.env': lines }, text);
    const [archives] = sweepsSettings(config ?? never()).collections;
    expect(archives?.source).toBe('mongodb://c:27017/docs');
    expect(config?.sources.get('buses.rabbitmq.url')?.where).toBe('app.env:3 RABBITMQ_HOST');
  });
});

const EVENTS = `${HEAD}jobs: { handlers: { mail: { command: [mail] } } }
events: { sources: { mails: { bus: rabbitmq, queue: mails, handler: mail } } }\n`;

describe('the bus of the environment', () => {
  it('can be the bus of a source of events', async () => {
    const { config, problems } = await load({ ...RABBITMQ, RABBITMQ_PORT: '5673' }, {}, EVENTS);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { buses, sources } = eventsSettings(config ?? never());
    expect([...buses]).toEqual([['rabbitmq', 'amqp://messagebus:5673']]);
    expect(sources.map(({ name, bus }) => [name, bus])).toEqual([['mails', 'rabbitmq']]);
    const from = { kind: 'environment', where: 'RABBITMQ_HOST' };
    expect(config?.sources.get('buses.rabbitmq.url')).toEqual(from);
  });

  it('can be named by a collection', async () => {
    const text = `${HEAD}sweeps: { collections: { archives: { source: "sqlite:/d.db", bus: rabbitmq } } }\n`;
    const { config } = await load(RABBITMQ, {}, text);
    expect([...eventsSettings(config ?? never()).buses.keys()]).toEqual(['rabbitmq']);
  });

  it('a bus of this name in the file beats it', async () => {
    const text = `${EVENTS}buses: { rabbitmq: { url: "amqp://own:5672" } }\n`;
    const { config } = await load(RABBITMQ, {}, text);
    expect([...eventsSettings(config ?? never()).buses.values()]).toEqual(['amqp://own:5672']);
  });

  it('needs RABBITMQ_HOST, and a source on it needs a queue', async () => {
    const loaded = await load({}, {}, EVENTS);
    expect(messagesOf(loaded)).toEqual([
      'mails names the bus rabbitmq, which is not under buses, and RABBITMQ_HOST is not set',
    ]);
    expect(loaded.problems[0]?.line).toBe(3);
    const { problems } = await load(RABBITMQ, {}, EVENTS.replace('queue: mails, ', ''));
    expect(problems.map(({ message }) => message)).toEqual(['mails has no queue']);
  });
});

describe('problems', () => {
  it('no file, a huge one, one of two lines, both forms: clear, all at once, and without a secret', async () => {
    const loaded = await load(
      {
        ...{ ...MONGODB, MONGODB_PORT: 'tcp://10.0.0.1:27017', MONGODB_USERNAME_FILE: 'gone' },
        MONGODB_PASSWORD_FILE: 'huge',
        ...{ ...RABBITMQ, RABBITMQ_USERNAME_FILE: 'two', RABBITMQ_PASSWORD: 'geheim' },
        RABBITMQ_PASSWORD_FILE: 'huge',
      },
      { huge: 'geheim'.repeat(1_000), two: 'geheim\ngeheim' },
    );
    expect(messagesOf(loaded)).toEqual([
      'The environment variable MONGODB_PORT must be a whole number from 1 up to 65535',
      'The environment variable MONGODB_USERNAME_FILE names gone, which cannot be read: it does not exist',
      'The environment variable MONGODB_PASSWORD_FILE names huge, which cannot be read: it has more than 4096 bytes',
      'The environment variable RABBITMQ_USERNAME_FILE names a file that must have a text of 1 to 1,024 characters without control characters',
      'The environment variable RABBITMQ_PASSWORD_FILE is set, and so is RABBITMQ_PASSWORD',
    ]);
    expect(JSON.stringify(loaded)).not.toContain('geheim');
  });

  it.each([
    [{ MONGODB_HOST: 'a/b' }, 'MONGODB_HOST must be the name or the IP address of a host'],
    [{ MONGODB_HOST: 'a@b' }, 'MONGODB_HOST must be the name or the IP address of a host'],
    [{ MONGODB_DATABASE: 'x?y' }, 'MONGODB_DATABASE must be the name of a database'],
    [{ MONGODB_PORT: '65536' }, 'MONGODB_PORT must be a whole number'],
    [{ MONGODB_USERNAME: 'root' }, 'MONGODB_HOST is set, and MONGODB_PASSWORD is not'],
    [{ MONGODB_PASSWORD: 'geheim' }, 'MONGODB_HOST is set, and MONGODB_USERNAME is not'],
    [{ MONGODB_DATABASE: '' }, 'MONGODB_HOST is set, and MONGODB_DATABASE is not'],
  ])('%j', async (environment, message) => {
    const loaded = await load({ ...MONGODB, ...RABBITMQ, ...environment });
    expect(messagesOf(loaded)[0]).toContain(message);
    expect(JSON.stringify(loaded)).not.toContain('geheim');
  });

  it('a collection without a source and without the variables', async () => {
    expect(messagesOf(await load({ MONGODB_PORT: '1' }))).toEqual([
      'archives has no source',
      'archives has no bus',
      'threads has no source',
      'threads has no bus',
    ]);
    expect(parseConfig(BARE).valid).toBe(false);
  });

  it('variables of a cluster do no harm where no collection needs them', async () => {
    const environment = {
      MONGODB_PORT: 'tcp://10.0.0.1:27017',
      MONGODB_HOST: '',
      RABBITMQ_HOST: '/',
    };
    const { problems, config } = await load(environment, {}, HEAD);
    expect([problems, config !== undefined]).toEqual([[], true]);
  });
});

function never(): never {
  throw new Error('The configuration is not valid');
}
