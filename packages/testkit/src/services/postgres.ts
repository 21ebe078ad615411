import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import { postgresAnswers } from './postgres-answers.ts';
import type { ServicePlace } from './service-place.ts';
import { type Service, startService } from './start-service.ts';

export interface PostgresOptions {
  /** Server settings such as `{ wal_level: 'logical' }`. Default: the server's own, so that a commit is on disk. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Makes it a streaming replica of this server. Default: a server of its own. */
  readonly replicaOf?: Pick<PostgresService, 'url'>;
}

/** A private Postgres server. */
export interface PostgresService extends Service {
  /** `postgres://postgres@127.0.0.1:<port>/postgres`: the superuser, without a password. */
  readonly url: string;
  readonly user: string;
  readonly dataDir: string;
}

const USER = 'postgres';

/**
 * An environment variable with a directory in which the first start keeps a fresh data directory for all later ones. It
 * must be writable for the service's user, and is for one version of Postgres.
 */
const TEMPLATE_VARIABLE = 'REDRIVE_POSTGRES_TEMPLATE';

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
      const { replicaOf } = options;
      if (replicaOf === undefined) await makeDataDir(place, initdb, dataDir);
      else await copyPrimary(place, join(dirname(server), 'pg_basebackup'), replicaOf.url, dataDir);
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

/** Copies the data directory of `TEMPLATE_VARIABLE` if there is one: `initdb` takes seconds on a busy machine. */
async function makeDataDir(place: ServicePlace, initdb: string, dataDir: string): Promise<void> {
  const folder = process.env[TEMPLATE_VARIABLE];
  const template = folder && join(folder, 'data');
  if (template && existsSync(template)) {
    await copyDataDir(place, template, dataDir);
    return;
  }
  // --no-sync is about initdb's own files; the server's commits are still synced.
  const how = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  await place.run(initdb, [`--pgdata=${dataDir}`, `--username=${USER}`, ...how]);
  if (template === undefined || template === '') return;
  // The template appears complete under its name, also when another process makes one at the same time.
  const made = `${template}-${place.port}`;
  await copyDataDir(place, dataDir, made);
  await place.run('/bin/mv', ['-T', '-n', made, template]);
}

/** A copy that follows its primary (`standby.signal`, `primary_conninfo`). */
async function copyPrimary(
  place: ServicePlace,
  pgBasebackup: string,
  url: string,
  dataDir: string,
): Promise<void> {
  const how = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await place.run(pgBasebackup, [`--dbname=${url}`, `--pgdata=${dataDir}`, ...how]);
}

async function copyDataDir(place: ServicePlace, from: string, to: string): Promise<void> {
  await place.run('/bin/cp', ['-a', '--reflink=auto', from, to]);
}

function asArguments([name, value]: readonly [string, string]): string[] {
  return ['-c', `${name}=${value}`];
}
