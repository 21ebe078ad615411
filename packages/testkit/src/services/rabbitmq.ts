import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import type { ServicePlace } from './service-place.ts';
import { type Service, startService } from './start-service.ts';
import { until } from './until.ts';

export interface RabbitmqOptions {
  /** More lines of `rabbitmq.conf`, such as `heartbeat = 5`. Default none. */
  readonly config?: string;
}

/** A private RabbitMQ server. */
export interface RabbitmqService extends Service {
  /** `amqp://guest:guest@127.0.0.1:<port>`: the administrator. */
  readonly url: string;
  /** The Erlang node, such as `redrive-4711@localhost`. */
  readonly node: string;
  /** Runs `rabbitmqctl` against this node; resolves with what it printed. */
  ctl(...args: string[]): Promise<string>;
}

/** Private RabbitMQ servers that form one cluster. */
export interface RabbitmqCluster {
  readonly nodes: readonly RabbitmqService[];
  /** The URLs of all nodes, comma-separated. */
  readonly url: string;
  /**
   * Waits until every node answers that no quorum queue needs it for a majority: then any one of them may be killed.
   *
   * @throws Error after `timeoutMs`, default 60,000.
   */
  healthy(timeoutMs?: number): Promise<void>;
  /** Ends all nodes and removes their directories. */
  stop(): Promise<void>;
}

/** The program that `startRabbitmq` needs. */
export const RABBITMQ_PROGRAM: BinarySpec = {
  name: 'rabbitmq-server',
  aptPackage: 'rabbitmq-server',
  // Debian keeps daemons out of the PATH of users.
  paths: ['/usr/sbin/rabbitmq-server'],
  // The package would otherwise start a server on port 5672 and keep it running.
  prepare: `
    mkdir -p /etc/systemd/system
    cd /etc/systemd/system
    [ -e rabbitmq-server.service ] || ln -s /dev/null rabbitmq-server.service`,
};

/** Debian's program of that name refuses every user but root and rabbitmq; the real ones are here. */
const DEBIAN_FOLDER = '/usr/lib/rabbitmq/bin';
const EPMD = '/usr/bin/epmd';

const START_TIMEOUT_MS = 120_000;
const PROBE_TIMEOUT_MS = 2_000;

/** The processes and the secret that only the nodes of one cluster share. */
interface Realm {
  /** The Erlang port mapper. */
  readonly epmd: Service;
  /** The cluster's name, by which a node is recognised, and its secret. */
  readonly name: string;
  readonly cookie: string;
}

/** Starts a private RabbitMQ server without plugins: loopback only, its own port mapper. Takes 4 to 11 seconds. */
export async function startRabbitmq(options: RabbitmqOptions = {}): Promise<RabbitmqService> {
  const { nodes, stop } = await startNodes(1, options);
  const [only] = nodes;
  if (only === undefined) throw new Error('RabbitMQ has no node');
  return { ...only, stop };
}

/** Starts three private RabbitMQ servers and joins them to one cluster. Takes about half a minute. */
export async function startRabbitmqCluster(
  options: RabbitmqOptions = {},
): Promise<RabbitmqCluster> {
  const { nodes, stop } = await startNodes(3, options);
  try {
    const [first, ...others] = nodes;
    // One after the other: nodes that find each other by themselves take three times as long.
    for (const { ctl } of others) {
      await ctl('stop_app');
      await ctl('reset');
      await ctl('join_cluster', first?.node ?? '');
      await ctl('start_app');
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const healthy = async (timeoutMs = 60_000): Promise<void> => {
    const isSpare = ({ isQuorumCritical }: RabbitmqNode) => isQuorumCritical().then((is) => !is);
    const all = await Promise.all(
      nodes.map((node) => until(() => isSpare(node), { timeoutMs, everyMs: 200 })),
    );
    if (all.includes(false))
      throw new Error(`RabbitMQ cluster is not healthy after ${timeoutMs} ms`);
  };
  return { nodes, url: nodes.map(({ url }) => url).join(','), healthy, stop };
}

/** A node, with the answer that only a cluster needs. */
interface RabbitmqNode extends RabbitmqService {
  /** Whether a quorum queue would lose its majority with this node. A node that does not answer counts as one. */
  isQuorumCritical(): Promise<boolean>;
}

async function startNodes(
  count: number,
  { config = '' }: RabbitmqOptions,
): Promise<{ readonly nodes: readonly RabbitmqNode[]; stop(): Promise<void> }> {
  const found = await ensureBinary(RABBITMQ_PROGRAM);
  const debian = join(DEBIAN_FOLDER, 'rabbitmq-server');
  const server = existsSync(debian) ? debian : found;
  // A service of its own: killing a node must not end the port mapper of the others.
  const epmd = await startService({
    name: 'epmd',
    command: ({ host, port }) => [EPMD, '-address', host, '-port', String(port)],
    isReady: ({ host, port }) => epmdAnswers(host, port),
  });
  const id = randomBytes(8).toString('hex');
  const realm: Realm = { epmd, name: `redrive-${id}`, cookie: randomBytes(16).toString('hex') };
  const lines = `cluster_name = ${realm.name}\ncluster_partition_handling = pause_minority\n${config}\n`;
  const starts = await Promise.allSettled(
    Array.from({ length: count }, (_, index) =>
      startNode(server, realm, `redrive-${id}-${index + 1}@localhost`, lines),
    ),
  );
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value : []));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
    await epmd.stop();
  };
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure === undefined) return { nodes, stop };
  await stop();
  throw failure.reason;
}

async function startNode(
  server: string,
  realm: Realm,
  node: string,
  config: string,
): Promise<RabbitmqNode> {
  let env = {};
  let run: ServicePlace['run'] = async () => '';
  const service = await startService({
    name: 'rabbitmq',
    ports: 2,
    startTimeoutMs: START_TIMEOUT_MS,
    async prepare(place) {
      run = place.run;
      await writeFile(join(place.dir, 'rabbitmq.conf'), config);
      await writeFile(join(place.dir, 'enabled_plugins'), '[].\n');
      // Erlang refuses a cookie that others can read, so the service's own user writes it.
      const write = `umask 377; printf %s ${realm.cookie} > .erlang.cookie`;
      await place.run('/bin/sh', ['-c', write]);
      env = environment(place, realm, node);
    },
    command: () => [server],
    env: () => env,
    isReady: (place) => amqpAnswers(place, realm),
    // The node waits for nothing that a test needs: its directory goes with it.
    stopTimeoutMs: 1,
  });
  const tool = (name: string, ...args: string[]): Promise<string> => {
    const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    const file = join(DEBIAN_FOLDER, name);
    return run('/usr/bin/env', [...variables, file, '--node', node, ...args]);
  };
  return {
    ...service,
    url: `amqp://guest:guest@${service.host}:${service.port}`,
    node,
    ctl: (...args) => tool('rabbitmqctl', ...args),
    isQuorumCritical: () =>
      tool('rabbitmq-queues', 'check_if_node_is_quorum_critical').then(
        () => false,
        () => true,
      ),
  };
}

function environment(place: ServicePlace, { epmd }: Realm, node: string): Record<string, string> {
  const { dir, host, port, ports } = place;
  return {
    // Erlang's port mapper listens on every interface otherwise.
    ERL_EPMD_ADDRESS: epmd.host,
    ERL_EPMD_PORT: String(epmd.port),
    RABBITMQ_NODENAME: node,
    RABBITMQ_NODE_IP_ADDRESS: host,
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(ports[1]),
    // The nodes' own connections, which listen on every interface otherwise. Two schedulers, because tests are small.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1} +S 2:2',
    RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq'),
    RABBITMQ_CONF_ENV_FILE: join(dir, 'no-rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'no-advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(dir, 'mnesia'),
    RABBITMQ_LOG_BASE: join(dir, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(dir, 'pid'),
  };
}

/** Whether a node of this cluster greets: its first frame has the cluster's name. */
function amqpAnswers({ host, port }: ServicePlace, { name }: Realm): Promise<boolean> {
  return asks(host, port, 'AMQP\x00\x00\x09\x01', (reply) => reply.includes(name));
}

function epmdAnswers(host: string, port: number): Promise<boolean> {
  // A request for all names: two bytes of length, then the letter n. The answer begins with the port.
  return asks(
    host,
    port,
    '\x00\x01n',
    (reply) => reply.length >= 4 && reply.readUInt32BE() === port,
  );
}

function asks(
  host: string,
  port: number,
  question: string,
  isRight: (reply: Buffer) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(question, 'latin1'));
    const answer = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => answer(false));
    socket.once('data', (reply) => answer(isRight(reply)));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });
}
