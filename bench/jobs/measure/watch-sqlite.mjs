// Loaded with --import into every thread of a lane whose connections nobody else can reach: notes what is opened
// through `node:sqlite`, answers what the connections say of their durability, and counts statements once asked to.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { BroadcastChannel } from 'node:worker_threads';

const sqlite = createRequire(import.meta.url)('node:sqlite');
const connections = new Set();
let statements = 0;

const { DatabaseSync, StatementSync } = sqlite;
sqlite.DatabaseSync = class extends DatabaseSync {
  constructor(...args) {
    super(...args);
    connections.add(this);
  }

  close() {
    connections.delete(this);
    super.close();
  }
};
syncBuiltinESMExports();

function count(prototype, method) {
  const original = prototype[method];
  prototype[method] = function counted(...args) {
    statements += 1;
    return original.apply(this, args);
  };
}

const answers = {
  durability: () =>
    [...connections].map((connection) => {
      const first = (text) => Object.values(connection.prepare(text).get())[0];
      return {
        journal: first('PRAGMA journal_mode'),
        synchronous: first('PRAGMA synchronous'),
        isReader: first('PRAGMA query_only') === 1,
      };
    }),
  startCounting() {
    for (const method of ['run', 'get', 'all', 'iterate']) count(StatementSync.prototype, method);
    count(DatabaseSync.prototype, 'exec');
    return [];
  },
  statements: () => [statements],
};

const channel = new BroadcastChannel('watch-sqlite');
channel.onmessage = ({ data: { id, ask, answer } }) => {
  if (ask) channel.postMessage({ id, answer: answers[ask]() });
  else waiting.get(id)?.push(...answer);
};
channel.unref();

const waiting = new Map();
const patienceMs = 200;

/** Asks all threads, this one included, and answers with what they said. */
globalThis.askSqlite = async (ask) => {
  const id = waiting.size + 1;
  waiting.set(id, answers[ask]());
  channel.postMessage({ id, ask });
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
  return waiting.get(id);
};
