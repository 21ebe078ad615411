import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { presetConfig } from '../resolve/resolve-config.ts';
import { jobsSettings } from './jobs-settings.ts';
import { serverSettings } from './server-settings.ts';
import { maskUrls, storeSettings } from './store-settings.ts';

function parse(text: string, file?: string) {
  return parseConfig(`version: "1.1.0"\n${text}`, file === undefined ? {} : { file });
}

function configOf(text: string, file?: string) {
  const { config, problems } = parse(text, file);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

describe('jobs', () => {
  it('without a word have the documented defaults', () => {
    const DAY = 86_400_000;
    expect(jobsSettings(presetConfig())).toEqual({
      leaseMs: 30_000,
      graceMs: 30_000,
      concurrency: 10,
      queueRates: {},
      healthPort: 9_470,
      retention: {
        succeededMs: 7 * DAY,
        cancelledMs: 7 * DAY,
        deadMs: 90 * DAY,
        purgedMs: 7 * DAY,
      },
      http: { targets: [], allowHttp: [], allowPrivate: [] },
      handlers: new Map(),
    });
  });

  it('are read in the units of code, handlers with their place', () => {
    const { handlers, ...rest } = jobsSettings(
      configOf(`jobs:
  lease_seconds: 1.5
  grace_seconds: 0
  concurrency: 3
  queues: [mail]
  health_port: 0
  retention: { dead: 60 }
  handlers:
    resize:
      policy: runs.default
      command: ["./resize.sh", "-q"]
      concurrency: 4
      concurrency_per_key: 2
      dependency: images
      credential: account-7
      idempotent: true
    mail: { module: "./handlers.js", export: mail, on_unknown: dead_letter, rates: { fast: { limit: 10, per_seconds: 1 }, slow: { limit: 5, per_seconds: 0.5, by: key, burst: 1 } } }
    own: { idempotent: false }
`),
    );
    expect(rest).toMatchObject({
      leaseMs: 1_500,
      graceMs: 0,
      concurrency: 3,
      queues: ['mail'],
      healthPort: 0,
      retention: { deadMs: 60_000, succeededMs: 604_800_000 },
    });
    expect([...handlers.values()]).toEqual([
      {
        name: 'resize',
        where: 'redrive.yaml:12',
        command: ['./resize.sh', '-q'],
        export: 'default',
        policy: 'runs.default',
        concurrency: 4,
        concurrencyPerKey: 2,
        dependency: 'images',
        credential: 'account-7',
        idempotent: true,
        rates: {},
      },
      {
        name: 'mail',
        where: 'redrive.yaml:18',
        module: './handlers.js',
        export: 'mail',
        onUnknown: 'dead_letter',
        rates: {
          fast: { limit: 10, perMs: 1_000 },
          slow: { limit: 5, perMs: 500, by: 'key', burst: 1 },
        },
      },
      {
        name: 'own',
        where: 'redrive.yaml:19',
        export: 'default',
        idempotent: false,
        rates: {},
      },
    ]);
  });

  it.each([
    ['{ command: [a], module: b, idempotent: true }', 'h has both a command and a module'],
    ['{ command: [], idempotent: true }', 'h has an empty command'],
    [
      '{ rates: { a: { limit: 1, per_seconds: 1 }, b: { limit: 2, per_seconds: 1 } } }',
      'the rates a and b have the same by and per_seconds',
    ],
    ['{ export: b, idempotent: true }', 'h has an export, but no module'],
    ['{ command: [a], http: { url: "https://a.example/" } }', 'h has both a command and a http'],
    [
      '{ http: { url: "https://a.example/" } }',
      'h asks a.example, which is not in jobs.http.targets',
    ],
    ['{ http: { url: "https://shop.example:444/" } }', 'h asks shop.example:444, which is not in'],
    ['{ http: { url: "http://shop.example/" } }', 'h would be asked without TLS'],
    ['{ http: { url: "https://a:b@shop.example/" } }', 'h has a user or password in its url'],
    ['{ http: { url: "shop.example" } }', 'h has no address of a webhook'],
    [
      '{ http: { url: "https://shop.example/", headers: { X-Api-Key: a } } }',
      'h has X-Api-Key in headers, where everybody who reads the file sees it',
    ],
  ])('%s is refused', (handler, message) => {
    const text = `jobs:\n  http: { targets: [Shop.example] }\n  handlers:\n    h: ${handler}`;
    expect(parse(text)).toMatchObject({
      valid: false,
      problems: [{ code: 'invalid_handler', line: 5, message: expect.stringContaining(message) }],
    });
  });

  it('a request has its defaults, and a handler without one has none of them', () => {
    const config = configOf(`jobs:
  http: { targets: [shop.example], allow_private: [10.1.0.0/16], ca: ca.pem }
  handlers:
    hook: { http: { url: "https://shop.example/a", headers_env: { Authorization: SHOP } } }
    own: { idempotent: true }
`);
    const { http, handlers } = jobsSettings(config);
    expect(http).toEqual({
      ...{ targets: ['shop.example'], allowHttp: [], allowPrivate: ['10.1.0.0/16'], ca: 'ca.pem' },
    });
    expect(handlers.get('own')).not.toHaveProperty('http');
    expect(handlers.get('hook')).toMatchObject({
      where: 'redrive.yaml:5',
      http: {
        ...{ url: 'https://shop.example/a', method: 'POST', timeoutMs: 30_000 },
        headersEnv: { Authorization: 'SHOP' },
      },
    });
  });

  it('a range that is none is refused', () => {
    expect(parse('jobs: { http: { allow_private: [10.0.0.0/33] } }')).toMatchObject({
      problems: [
        { code: 'invalid_handler', message: '10.0.0.0/33 is neither an address nor a range' },
      ],
    });
  });
});

describe('the store', () => {
  it('is a file in the working directory where nobody says otherwise', () => {
    const source = { kind: 'default', where: 'built in' };
    expect(storeSettings(presetConfig())).toEqual({
      url: 'sqlite:./redrive.db',
      migrate: true,
      source,
    });
    expect(storeSettings(configOf(''))).toEqual({
      url: 'sqlite:./redrive.db',
      migrate: true,
      source,
    });
  });

  it.each([
    ['sqlite:./jobs.db', 'sqlite:/work/etc/jobs.db'],
    ['sqlite:../jobs.db', 'sqlite:/work/jobs.db'],
    ['sqlite:/var/jobs.db', 'sqlite:/var/jobs.db'],
    ['postgres://me@host/db', 'postgres://me@host/db'],
  ])('%s of etc/redrive.yaml is %s', (url, expected) => {
    const config = configOf(`store: { url: "${url}" }`, 'etc/redrive.yaml');
    expect(storeSettings(config, '/work')).toEqual({
      url: expected,
      migrate: true,
      source: { kind: 'file', where: 'etc/redrive.yaml:2' },
    });
  });

  it.each([
    ['postgres://me@host/db', 'postgres://me@host/db?schema=shop'],
    [
      'postgresql://me@host/db?sslmode=require',
      'postgresql://me@host/db?sslmode=require&schema=shop',
    ],
  ])('%s with the schema shop is %s', (url, expected) => {
    const config = configOf(`store: { url: "${url}", schema: shop, migrate: false }`);
    expect(storeSettings(config)).toMatchObject({ url: expected, migrate: false });
  });

  it('has the number of connections in its address', () => {
    const config = configOf('store: { url: "postgres://h/d", schema: shop, connections: 3 }');
    expect(storeSettings(config).url).toBe('postgres://h/d?schema=shop&connections=3');
  });

  it('has 2 to 4 connections', () => {
    expect(parse('store: { url: "postgres://h/d", connections: 5 }')).toMatchObject({
      valid: false,
      problems: [{ code: 'out_of_range' }],
    });
  });

  it.each([
    [
      'store:\n  url: sqlite:./jobs.db\n  schema: shop',
      4,
      'store.schema (line 4) is for Postgres, and store.url (line 3) is a SQLite file',
    ],
    [
      'store:\n  connections: 3\n  url: sqlite:./jobs.db',
      3,
      'store.connections (line 3) is for Postgres, and store.url (line 4) is a SQLite file',
    ],
    [
      'store:\n  schema: shop',
      3,
      'store.schema (line 3) is for Postgres, and store.url is not given (an address in REDRIVE_STORE or --store has its own ?schema= and ?connections=)',
    ],
  ])('refuses what only Postgres has: %j', (text, line, message) => {
    const { valid, problems } = parse(text);
    expect(valid).toBe(false);
    expect(problems).toMatchObject([{ code: 'postgres_only', line, message }]);
  });
});

it.each([
  ['postgres://me:secret@host:5432/db', 'postgres://***@host:5432/db'],
  [
    'postgres://host/db?user=me&password=p%40ss&sslmode=require',
    'postgres://host/db?user=me&password=***&sslmode=require',
  ],
  ['postgres://a:b@h, redis://c:d@i', 'postgres://***@h, redis://***@i'],
  ['sqlite:./a@b.db', 'sqlite:./a@b.db'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrls(url)).toBe(shown);
});

describe('the server', () => {
  const proxy = (text: string) => `server: { proxy: { ${text} } }`;

  it('trusts no proxy by default, and one with its defaults where the file has it', () => {
    expect(serverSettings(presetConfig())).toEqual({});
    expect(
      serverSettings(configOf(proxy('addresses: [10.1.0.7], roles: { admin: [ops] }'))),
    ).toEqual({
      proxy: {
        addresses: ['10.1.0.7'],
        ...{ userHeader: 'X-Forwarded-User', groupsHeader: 'X-Forwarded-Groups' },
        roles: { viewer: [], operator: [], admin: ['ops'] },
      },
    });
  });

  it.each([
    ['addresses: [], roles: { admin: [ops] }', 'the proxy has no address'],
    ['addresses: [proxy], roles: { admin: [ops] }', 'proxy is neither an address nor a range'],
    ['addresses: [10.1.0.7]', 'no group has a role, so every user would be refused'],
    ...['127.0.0.1', '127.9.0.0/16', '"::1"', '0.0.0.0/0', '"::/0"'].map((address) => [
      `addresses: [${address}], roles: { admin: [ops] }`,
      'has loopback addresses, from which every program of the machine can send: name secret_env',
    ]),
  ])('%s is refused', (text, message) => {
    expect(parse(proxy(text))).toMatchObject({
      valid: false,
      problems: [{ code: 'invalid_server', message: expect.stringContaining(message) }],
    });
  });
});
