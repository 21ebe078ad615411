import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { aptInstall } from './apt-install.ts';

/** A program that tests need, and where it comes from. */
export interface BinarySpec {
  /** Its file name, e.g. `nats-server`. */
  readonly name: string;
  /** The Debian package that has it. */
  readonly aptPackage: string;
  /** Absolute paths to try when it is not on PATH. Default none. */
  readonly paths?: readonly string[];
  /** A shell script that root runs before the installation, e.g. to keep the package from starting a server. */
  readonly prepare?: string;
}

/** Makes certificates for tests of TLS. */
export const OPENSSL_PROGRAM: BinarySpec = { name: 'openssl', aptPackage: 'openssl' };

/**
 * Finds a program on PATH or at its known paths. If it is missing, installs its Debian package with apt-get, as root
 * or through sudo without a password, and says so on stderr first; installations wait for each other over all processes.
 *
 * @returns the absolute path.
 * @throws Error with one line that says what to install, where it cannot be done here.
 */
export async function ensureBinary(spec: BinarySpec): Promise<string> {
  const [path = ''] = await ensureBinaries([spec]);
  return path;
}

/** The same for several programs: one installation for all that are missing, or one error that names them all. */
export async function ensureBinaries(specs: readonly BinarySpec[]): Promise<string[]> {
  const missing = specs.filter((spec) => findBinary(spec) === undefined);
  if (missing.length > 0) await aptInstall(missing);
  return specs.map((spec) => {
    const path = findBinary(spec);
    if (path !== undefined) return path;
    throw new Error(
      `"${spec.name}" is missing although the Debian package ${spec.aptPackage} is installed: put it on PATH`,
    );
  });
}

/** The absolute path of a program that every user can execute. */
export function findBinary({
  name,
  paths = [],
}: Pick<BinarySpec, 'name' | 'paths'>): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  return [...onPath.map((folder) => join(folder, name)), ...paths].find(canBeRun);
}

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    // Root's services run as nobody, who cannot enter a root-only home.
    return statSync(path).isFile() && (process.getuid?.() !== 0 || isOpenToAll(realpathSync(path)));
  } catch {
    return false;
  }
}

function isOpenToAll(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & 0o001) !== 0 && (parent === path || isOpenToAll(parent));
}
