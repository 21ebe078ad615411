import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BinarySpec } from './ensure-binary.ts';

const INSTALL_TIMEOUT_SECONDS = 300;

/** In a folder where only root writes, as only root takes it. The kernel releases it when its holder dies. */
const LOCK_FILE = '/run/redrive-apt.lock';

/** Installs the spec's Debian package; see `ensureBinary`. */
export async function aptInstall(spec: BinarySpec, lockFile = LOCK_FILE): Promise<void> {
  const { name, aptPackage } = spec;
  const asRoot = rootPrefix();
  if (asRoot === undefined || !runs('apt-get', '--version')) {
    throw new Error(
      `"${name}" is missing: install it, on Debian with "apt-get install ${aptPackage}"`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'redrive-apt-'));
  const logFile = join(folder, 'apt.log');
  // `timeout` and not a timer here: without being root, this process could not end root's.
  const bounded = ['timeout', '--kill-after=10', `${INSTALL_TIMEOUT_SECONDS}`];
  const exclusive = ['flock', lockFile];
  const command = [...asRoot, ...bounded, ...exclusive, 'sh', '-c', installScript(spec)];
  if (!(await succeeds(command, logFile))) {
    throw new Error(
      `"${name}" is missing and "apt-get install ${aptPackage}" failed (see ${logFile}): install it by hand`,
    );
  }
  rmSync(folder, { recursive: true });
}

/** What to put before a command to run it as root, or undefined if this user cannot. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return runs('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined;
}

function runs(file: string, ...args: string[]): boolean {
  return spawnSync(file, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

/**
 * Package lists are fetched only when the installation does not work with those at hand: a fresh machine has none, and
 * whoever comes second finds them there.
 */
function installScript({ aptPackage, prepare = ':' }: BinarySpec): string {
  const options = [
    '--yes',
    '--no-install-recommends',
    '--option=DPkg::Lock::Timeout=120',
    // A configuration file that is already there stays; the question could not be answered.
    '--option=Dpkg::Options::=--force-confold',
  ];
  const install = `apt-get install ${options.join(' ')} ${aptPackage}`;
  return [
    'set -e',
    'export DEBIAN_FRONTEND=noninteractive LC_ALL=C',
    `(${prepare}\n)`,
    `${install} || { apt-get update && ${install}; }`,
  ].join('\n');
}

async function succeeds([file = '', ...args]: string[], logFile: string): Promise<boolean> {
  const log = openSync(logFile, 'w');
  try {
    // Detached: an interrupted test run must not leave dpkg half done.
    const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log] });
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch {
    return false;
  } finally {
    closeSync(log);
  }
}
