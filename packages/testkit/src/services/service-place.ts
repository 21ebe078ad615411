import { execFile, type SpawnOptions } from 'node:child_process';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.ts';
import { SERVICE_DIR_VARIABLE } from './service-processes.ts';
import { type ServiceUser, serviceUser } from './service-user.ts';

/** Where one instance of a service lives. */
export interface ServicePlace {
  readonly host: string;
  /** The first of `ports`. */
  readonly port: number;
  /** As many free loopback ports as the service asked for. */
  readonly ports: readonly number[];
  /** A temporary directory that belongs to the service's user and goes when the service does. */
  readonly dir: string;
  /** Whom the service runs as. */
  readonly owner: ServiceUser;
  /** Runs a program to its end as the service's user, in `dir`; resolves with what it printed. At most 60 s. */
  run(file: string, args: readonly string[]): Promise<string>;
}

const RUN_TIMEOUT_MS = 60_000;

export async function makeServicePlace(name: string, portCount: number): Promise<ServicePlace> {
  const owner = serviceUser();
  const ports = await freePorts(portCount);
  const dir = await mkdtemp(join(tmpdir(), `redrive-${name}-`));
  if (process.getuid?.() === 0) await chown(dir, owner.uid, owner.gid);
  return {
    host: '127.0.0.1',
    port: ports[0] ?? 0,
    ports,
    dir,
    owner,
    async run(file, args) {
      const options = { ...processOptions(dir, owner), timeout: RUN_TIMEOUT_MS };
      return (await promisify(execFile)(file, args, options)).stdout;
    },
  };
}

/** How every process of a service is started: as its user, in its directory, and marked so that the reaper finds it. */
export function processOptions(dir: string, owner: ServiceUser) {
  return {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      LANG: 'C.UTF-8',
      [SERVICE_DIR_VARIABLE]: dir,
    },
    ...(process.getuid?.() === 0 ? owner : {}),
  } satisfies SpawnOptions;
}
