import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import { postgresAnswers } from './postgres-answers.ts';
import { type Service, startService } from './start-service.ts';

export interface PostgresOptions {
  /** Server settings such as `{ wal_level: 'logical' }`. Default: the server's own, so that a commit is on disk. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A private Postgres server. */
export interface PostgresService extends Service {
  /** `postgres://postgres@127.0.0.1:<port>/postgres`: the superuser, without a password. */
  readonly url: string;
  readonly user: string;
  readonly dataDir: string;
}

const USER = 'postgres';

/** Debian keeps the server out of PATH; newest first. */
const DEBIAN_PATHS = [18, 17, 16, 15, 14].map(
  (version) => `/usr/lib/postgresql/${version}/bin/postgres`,
);

/** The program that `startPostgres` needs. */
export const POSTGRES_PROGRAM: BinarySpec = {
  name: 'postgres',
  aptPackage: 'postgresql',
  paths: DEBIAN_PATHS,
  // The package would otherwise make a cluster on port 5432 and keep it running.
  prepare: `
    mkdir -p /etc/postgresql-common
    cd /etc/postgresql-common
    [ -e createcluster.conf ] || echo 'create_main_cluster = false' > createcluster.conf`,
};

/** Starts a private Postgres server: loopback and a Unix socket in `dir` only, every local user is trusted. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresService> {
  // PATH may hold only a link to it; its tools are beside the real one.
  const server = realpathSync(await ensureBinary(POSTGRES_PROGRAM));
  const initdb = join(dirname(server), 'initdb');
  let dataDir = '';
  const service = await startService({
    name: 'postgres',
    async prepare(place) {
      dataDir = join(place.dir, 'data');
      // --no-sync is about initdb's own files; the server's commits reach the disk as usual.
      const how = [
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
        '--no-instructions',
      ];
      await place.run(initdb, [`--pgdata=${dataDir}`, `--username=${USER}`, ...how]);
    },
    command: (place) => {
      const settings = {
        listen_addresses: place.host,
        port: String(place.port),
        unix_socket_directories: place.dir,
        // In the data directory, so that a killed server leaves nothing in /dev/shm.
        dynamic_shared_memory_type: 'mmap',
        ...options.settings,
      };
      return [server, '-D', dataDir, ...Object.entries(settings).flatMap(asArguments)];
    },
    // The socket in its own directory, which is made after the port was taken, is nobody else's.
    isReady: (place) => postgresAnswers(join(place.dir, `.s.PGSQL.${place.port}`), USER),
    // Immediate shutdown: others wait for clients or write back what is thrown away next.
    stopSignal: 'SIGQUIT',
  });
  const url = `postgres://${USER}@${service.host}:${service.port}/postgres`;
  return { ...service, url, user: USER, dataDir };
}

function asArguments([name, value]: readonly [string, string]): string[] {
  return ['-c', `${name}=${value}`];
}
