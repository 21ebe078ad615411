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

/** Installs the Debian packages of all `specs` in one go; see `ensureBinaries`. */
export async function aptInstall(
  specs: readonly BinarySpec[],
  lockFile = LOCK_FILE,
): Promise<void> {
  const names = specs.map(({ name }) => `"${name}"`).join(', ');
  const [are, them] = specs.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const byHand = `apt-get install ${specs.map(({ aptPackage }) => aptPackage).join(' ')}`;
  const asRoot = rootPrefix();
  if (asRoot === undefined || !runs('apt-get', '--version')) {
    throw new Error(`${names} ${are} missing: install ${them}, on Debian with "${byHand}"`);
  }
  process.stderr.write(
    `${names} ${are} missing: running "${[...asRoot.slice(0, 1), byHand].join(' ')}"\n`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'redrive-apt-'));
  const logFile = join(folder, 'apt.log');
  // `timeout` and not a timer here: without being root, this process could not end root's.
  const bounded = ['timeout', '--kill-after=10', `${INSTALL_TIMEOUT_SECONDS}`];
  const exclusive = ['flock', lockFile];
  const command = [...asRoot, ...bounded, ...exclusive, 'sh', '-c', installScript(specs)];
  if (!(await succeeds(command, logFile))) {
    throw new Error(
      `${names} ${are} missing and "${byHand}" failed (see ${logFile}): install ${them} by hand`,
    );
  }
  rmSync(folder, { recursive: true });
}

/** The words before a command that run it as root. Absent: this user cannot. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return runs('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined;
}

function runs(file: string, ...args: string[]): boolean {
  return spawnSync(file, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

/**
 * Package lists are fetched only when the installation does not work with those at hand: a fresh machine has none, and
 * a second installation finds them there.
 */
function installScript(specs: readonly BinarySpec[]): string {
  const options = [
    '--yes',
    '--no-install-recommends',
    '--option=DPkg::Lock::Timeout=120',
    // A configuration file that is already there stays; the question could not be answered.
    '--option=Dpkg::Options::=--force-confold',
  ];
  const packages = specs.map(({ aptPackage }) => aptPackage).join(' ');
  const install = `apt-get install ${options.join(' ')} ${packages}`;
  return [
    'set -e',
    'export DEBIAN_FRONTEND=noninteractive LC_ALL=C',
    ...specs.map(({ prepare = ':' }) => `(${prepare}\n)`),
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
