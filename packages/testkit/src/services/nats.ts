import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import { freePorts } from './free-ports.ts';
import type { ServicePlace } from './service-place.ts';
import { type Service, startService } from './start-service.ts';
import { until } from './until.ts';

export interface NatsOptions {
  /**
   * More lines of the server's configuration, such as `max_payload: 2MB`. Default none. JetStream is always on; the
   * server syncs every write, where its version has that setting (2.10 and newer).
   */
  readonly config?: string;
}

/** A private NATS server with JetStream. */
export interface NatsService extends Service {
  /** `nats://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
}

/** Private NATS servers that form one cluster. */
export interface NatsCluster {
  readonly nodes: readonly NatsService[];
  /** The URLs of all nodes, comma-separated. */
  readonly url: string;
  /** Waits until every running node has answered that it is healthy. @throws Error after `timeoutMs`, default 30,000. */
  healthy(timeoutMs?: number): Promise<void>;
  /** Ends all nodes and removes their directories. */
  stop(): Promise<void>;
}

/** The program that `startNats` needs. */
export const NATS_PROGRAM: BinarySpec = {
  name: 'nats-server',
  aptPackage: 'nats-server',
  // Debian keeps daemons out of the PATH of users.
  paths: ['/usr/sbin/nats-server'],
  // The package would otherwise start a server on port 4222 and keep it running.
  prepare: `
    mkdir -p /etc/systemd/system
    cd /etc/systemd/system
    [ -e nats-server.service ] || ln -s /dev/null nats-server.service`,
};

const PROBE_TIMEOUT_MS = 2_000;

/** Starts a private NATS server with JetStream: loopback only, without authentication. */
export async function startNats(options: NatsOptions = {}): Promise<NatsService> {
  return startNode(await ensureBinary(NATS_PROGRAM), options.config ?? '');
}

/** Starts three private NATS servers as one JetStream cluster, and waits until they have elected a leader. */
export async function startNatsCluster(options: NatsOptions = {}): Promise<NatsCluster> {
  const server = await ensureBinary(NATS_PROGRAM);
  // Each node names the others' ports in its configuration, so they are chosen before any of them starts.
  const ports = await freePorts(3);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const starts = await Promise.allSettled(
    ports.map((port) => {
      const cluster = `cluster { name: redrive, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
      return startNode(server, `${cluster}\n${options.config ?? ''}`);
    }),
  );
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value : []));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  const healthy = async (timeoutMs = 30_000): Promise<void> => {
    const all = await Promise.all(nodes.map((node) => until(() => isHealthy(node), { timeoutMs })));
    if (all.includes(false)) throw new Error(`NATS cluster is not healthy after ${timeoutMs} ms`);
  };
  try {
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
    await healthy();
  } catch (error) {
    await stop();
    throw error;
  }
  return { nodes, url: nodes.map(({ url }) => url).join(','), healthy, stop };
}

async function startNode(server: string, config: string): Promise<NatsService> {
  const service = await startService({
    name: 'nats',
    // The second one is for the health check of a cluster's node.
    ports: 2,
    async prepare(place) {
      const { host, port, ports, dir } = place;
      const version = await place.run(server, ['--version']);
      const lines = [
        `server_name: "${nameOf(place)}"`,
        `listen: "${host}:${port}"`,
        `http: "${host}:${ports[1]}"`,
        `jetstream { store_dir: "${dir}", ${knowsSync(version) ? 'sync_interval: always' : ''} }`,
        config,
      ];
      await writeFile(configIn(dir), `${lines.join('\n')}\n`);
    },
    command: ({ dir }) => [server, '--config', configIn(dir)],
    isReady: hasGreeted,
  });
  return { ...service, url: `nats://${service.host}:${service.port}` };
}

/** The server's name is the directory's, which no other server has. */
function nameOf({ dir }: Pick<ServicePlace, 'dir'>): string {
  return basename(dir);
}

function configIn(dir: string): string {
  return join(dir, 'nats.conf');
}

/** Older servers refuse a configuration with `sync_interval`, and sync every two minutes. */
function knowsSync(version: string): boolean {
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}

/** Whether this very server greets: its first line has its name. */
function hasGreeted(place: ServicePlace): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place.port, place.host);
    const answer = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => answer(false));
    socket.once('data', (line) => answer(line.includes(`"server_name":"${nameOf(place)}"`)));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });
}

async function isHealthy({ host, ports }: NatsService): Promise<boolean> {
  try {
    const url = `http://${host}:${ports[1]}/healthz`;
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
