import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

/** A server that commands run on, under a name. */
export interface Context {
  readonly server: string;
  /** Absolute. Absent: the token is that of REDRIVE_TOKEN. */
  readonly token_file?: string;
  /** Absolute. Certificates of a private authority, PEM. */
  readonly ca_file?: string;
}

export interface Contexts {
  /** The context of commands that name no other place. */
  readonly current: string | undefined;
  readonly all: ReadonlyMap<string, Context>;
}

const NONE: Contexts = { current: undefined, all: new Map() };
const MAX_BYTES = 1_000_000;
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const SERVER = /^https?:\/\/[^/\s@?#]+(\/[^\s?#@]*)?$/;

/** `undefined`: the environment names no directory for it. */
export function contextFile({ env }: Pick<Io, 'env'>): string | undefined {
  const { XDG_CONFIG_HOME: config, APPDATA: data, HOME: home } = env;
  const base = config || data || (home && join(home, '.config'));
  return base ? join(base, 'redrive', 'contexts.json') : undefined;
}

/** @throws CliError if the file cannot be read or is not one of contexts. */
export function readContexts(io: Pick<Io, 'env'>): Contexts {
  const file = contextFile(io);
  if (file === undefined) return NONE;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error('it is larger than 1 MB');
    return contextsIn(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return NONE;
    const why = error instanceof Error ? error.message : String(error);
    const hint = `Correct ${file} or delete it; --store names a store without it.`;
    throw new CliError('failed', `The contexts cannot be read: ${why}`, hint);
  }
}

function contextsIn(document: unknown): Contexts {
  const { current, contexts } = Object(document) as Readonly<Record<string, unknown>>;
  const all = new Map(
    Object.entries(Object(contexts) as Readonly<Record<string, unknown>>).map(([name, given]) => {
      const { server, token_file, ca_file } = Object(given) as Readonly<Record<string, unknown>>;
      const isFile = (path: unknown) => path === undefined || typeof path === 'string';
      if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a context`);
      if (
        typeof server !== 'string' ||
        !SERVER.test(server) ||
        !isFile(token_file) ||
        !isFile(ca_file)
      )
        throw new Error(`the context ${name} has no server, or files that are no texts`);
      return [name, given as Context] as const; // As was checked.
    }),
  );
  if (current !== undefined && !(typeof current === 'string' && all.has(current)))
    throw new Error('its current context does not exist');
  return { current, all };
}

/** An address with a name and a password is refused: errors would show it. @throws CliError */
export function checkServer(url: string): void {
  if (SERVER.test(url)) return;
  const hint = 'Write it as https://redrive.example.org or http://127.0.0.1:9480.';
  const shown = printable(url.replace(/\/\/.*@/, '//***@'));
  throw new CliError('usage', `This is not the address of a server: ${shown}`, hint);
}

/** @throws CliError if it does not exist. */
export function known(all: ReadonlyMap<string, Context>, name: string): Context {
  const found = all.get(name);
  if (found !== undefined) return found;
  const hint = 'To see all contexts: redrive context list';
  throw new CliError('no_match', `There is no context ${printable(name)}.`, hint);
}

/** Replaces the file in one step. Only its owner can read it: it says where tokens are. */
export function writeContexts(io: Pick<Io, 'env'>, { current, all }: Contexts): string {
  const file = contextFile(io);
  if (file === undefined) {
    const hint = 'Set HOME or XDG_CONFIG_HOME.';
    throw new CliError('failed', 'There is no directory for contexts.', hint);
  }
  const text = JSON.stringify({ current, contexts: Object.fromEntries(all) }, null, 2);
  const scratch = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(scratch, `${text}\n`, { mode: 0o600 });
    chmodSync(scratch, 0o600);
    renameSync(scratch, file);
  } catch (error) {
    rmSync(scratch, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('failed', `The contexts cannot be written: ${why}`);
  }
  return file;
}
