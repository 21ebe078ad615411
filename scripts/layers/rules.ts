/**
 * Who may import whom. A package that is not in this table may import nothing of ours, and a
 * name that is not in a package's list is refused: add a line here when a package is added.
 * ARCHITECTURE.md draws the same table.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  config: ['core'],
  durable: ['core'],
  sqlite: ['core', 'durable'],
  postgres: ['core', 'durable'],
  nats: ['core', 'durable'],
  rabbitmq: ['core', 'durable'],
  mongodb: ['core', 'durable'],
  telemetry: ['core', 'durable'],
  lab: ['core', 'durable'],
  operate: ['core', 'config', 'durable', 'lab', 'telemetry'],
  client: [],
  server: [
    'core',
    'config',
    'durable',
    'sqlite',
    'postgres',
    'nats',
    'rabbitmq',
    'mongodb',
    'telemetry',
    'lab',
    'operate',
    'console',
  ],
  console: ['core', 'server', 'lab', 'client'],
  cli: [
    'core',
    'config',
    'durable',
    'sqlite',
    'postgres',
    'nats',
    'rabbitmq',
    'mongodb',
    'telemetry',
    'lab',
    'operate',
    'client',
    'server',
    'console',
  ],
  testkit: ['core', 'durable'],
};

/** Of these only types may be imported, so that nothing of them is loaded at run time. */
export const typesOnly: Readonly<Record<string, readonly string[]>> = {
  telemetry: ['durable'],
  operate: ['telemetry'],
  console: ['server'],
};

/** Of these only the named entries may be imported. */
export const onlyEntries: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  lab: { durable: ['@redrive/durable/control/rules'] },
};

/** Built into files that need no node_modules: what they import is a development dependency. */
export const bundled: readonly string[] = ['console'];

/** Rules without a clock, I/O or a store: a file in here imports its neighbours, and elsewhere only types. */
export const pureRules = 'packages/durable/src/control/rules/';

/** The one package that may talk to each outside system, by the driver's package name. */
export const driverHome: Readonly<Record<string, string>> = {
  'node:sqlite': 'sqlite',
  'better-sqlite3': 'sqlite',
  pg: 'postgres',
  '@nats-io': 'nats',
  nats: 'nats',
  amqplib: 'rabbitmq',
  mongodb: 'mongodb',
  fastify: 'server',
  'prom-client': 'telemetry',
  '@opentelemetry': 'telemetry',
  preact: 'console',
  commander: 'cli',
};

/** The shop of the demo stands for a user's program: it has a database of its own, as examples have. */
export const usersProgram = 'packages/cli/src/demo/shop/';

/** Only tests, and testkit itself, may use these. */
export const forTestsOnly: readonly string[] = [
  '@redrive/testkit',
  'vitest',
  'fast-check',
  'node:test',
];

/**
 * Runs in Node and in a Web Worker, with the same bytes as its result: no Node modules, and none of the functions whose
 * last bit is left to the engine (`**` is one of them). `packages/lab/src/chance/arithmetic.ts` has its own.
 */
export const runsAnywhere = 'packages/lab/src/';
export const engineDependent =
  /\bMath\.(?:exp|expm1|log|log1p|log2|log10|pow|cbrt|hypot|a?(?:sin|cos|tan)h?|atan2)\b|\*\*/;

/** The part of core that may use Node's own modules; the rest runs in any engine. */
export const nodePartOfCore = /^packages\/core\/src\/node(\.ts$|\/)/;
