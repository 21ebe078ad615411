import { join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import { redisAnswers } from './redis-answers.ts';
import { type Service, startService } from './start-service.ts';

export interface RedisOptions {
  /** Server settings such as `{ appendfsync: 'everysec' }`. Default: every write is on disk before it is acknowledged. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A private Redis server. */
export interface RedisService extends Service {
  /** `redis://127.0.0.1:<port>`, without a password. */
  readonly url: string;
}

/** The program that `startRedis` needs. */
export const REDIS_PROGRAM: BinarySpec = {
  name: 'redis-server',
  aptPackage: 'redis-server',
  // The package would otherwise start a server on port 6379 and keep it running.
  prepare: `
    mkdir -p /etc/systemd/system
    cd /etc/systemd/system
    [ -e redis-server.service ] || ln -s /dev/null redis-server.service`,
};

/** Starts a private Redis server: loopback and a Unix socket in `dir` only, an append-only file synced on every write. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisService> {
  const server = await ensureBinary(REDIS_PROGRAM);
  const service = await startService({
    name: 'redis',
    command: (place) => {
      const settings = {
        bind: place.host,
        port: String(place.port),
        unixsocket: socketIn(place.dir),
        dir: place.dir,
        // Snapshots beside the append-only file would only add work.
        save: '',
        appendonly: 'yes',
        appendfsync: 'always',
        ...options.settings,
      };
      return [server, ...Object.entries(settings).flatMap(asArguments)];
    },
    isReady: (place) => redisAnswers(socketIn(place.dir)),
  });
  return { ...service, url: `redis://${service.host}:${service.port}` };
}

function socketIn(dir: string): string {
  return join(dir, 'redis.sock');
}

function asArguments([name, value]: readonly [string, string]): string[] {
  return [`--${name}`, value];
}
