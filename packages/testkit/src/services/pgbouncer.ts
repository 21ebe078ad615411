import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BinarySpec, ensureBinary } from './ensure-binary.ts';
import type { PostgresService } from './postgres.ts';
import { postgresAnswers } from './postgres-answers.ts';
import { type Service, startService } from './start-service.ts';

export interface PgBouncerOptions {
  /** When a server connection goes back to the pool: with the client's session, transaction or statement. */
  readonly poolMode: 'session' | 'transaction' | 'statement';
  /** Lines of the section `[databases]`, before the one that has every database of the server under its own name. */
  readonly databases?: string;
  /** More settings of the section `[pgbouncer]`, such as `{ default_pool_size: '1' }`. Default: PgBouncer's own. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A private PgBouncer in front of a private Postgres server. */
export interface PgBouncerService extends Service {
  /** The Postgres server's URL with PgBouncer's port: the superuser, without a password. */
  readonly url: string;
}

/** The program that `startPgBouncer` needs. */
export const PGBOUNCER_PROGRAM: BinarySpec = {
  name: 'pgbouncer',
  aptPackage: 'pgbouncer',
  // Debian keeps daemons out of the PATH of users.
  paths: ['/usr/sbin/pgbouncer'],
  // The package would otherwise start a pooler on port 6432 and keep it running.
  prepare: `
    mkdir -p /etc/systemd/system
    cd /etc/systemd/system
    [ -e pgbouncer.service ] || ln -s /dev/null pgbouncer.service`,
};

/** Starts a private PgBouncer: loopback and a Unix socket in `dir` only; its superuser logs in without a password. */
export async function startPgBouncer(
  server: Pick<PostgresService, 'host' | 'port' | 'user' | 'url'>,
  options: PgBouncerOptions,
): Promise<PgBouncerService> {
  const pgbouncer = await ensureBinary(PGBOUNCER_PROGRAM);
  const service = await startService({
    name: 'pgbouncer',
    async prepare({ dir, host, port }) {
      const users = join(dir, 'users.txt');
      const settings = {
        listen_addr: host,
        listen_port: String(port),
        unix_socket_dir: dir,
        auth_type: 'trust',
        auth_file: users,
        pool_mode: options.poolMode,
        ...options.settings,
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
      const all = `* = host=${server.host} port=${server.port}`;
      await writeFile(users, `"${server.user}" ""\n`);
      await writeFile(
        configIn(dir),
        ['[databases]', options.databases ?? '', all, '[pgbouncer]', ...lines, ''].join('\n'),
      );
    },
    command: ({ dir }) => [pgbouncer, configIn(dir)],
    isReady: ({ dir, port }) => postgresAnswers(join(dir, `.s.PGSQL.${port}`), server.user),
  });
  const url = new URL(server.url);
  url.port = String(service.port);
  return { ...service, url: url.href };
}

function configIn(dir: string): string {
  return join(dir, 'pgbouncer.ini');
}
