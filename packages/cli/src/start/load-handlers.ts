import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HandlerSettings, HttpSettings, HttpTargetSettings } from '@redrive/config';
import { type Clock, isRedriveError } from '@redrive/core';
import { nearest } from '@redrive/core/fields';
import {
  commandHandler,
  type Handler,
  type HandlerDefinition,
  type HandlerOptions,
  httpHandler,
  type ManyHandlerDefinition,
  manyCommandHandler,
} from '@redrive/durable';
import { CliError } from '../terminal/exit-codes.ts';

/** Handlers as the worker takes them: what their payloads are, only their code knows. */
export type LoadedHandlers = Readonly<Record<string, Definition>>;

type Definition = HandlerDefinition<unknown, unknown> | ManyHandlerDefinition<unknown, unknown>;

/** Where the handlers' files are, and which addresses they may ask. */
interface HandlerPlace {
  /** The directory of the configuration file. */
  readonly directory: string;
  /** `PATH`, and the variables with secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly http: HttpTargetSettings;
  readonly clock: Clock;
}

/**
 * Loads what the file declares: commands, exports of modules, relative to the file, and requests.
 *
 * @throws CliError with every problem at once, each with the line that it comes from.
 */
export async function loadHandlers(
  settings: Iterable<HandlerSettings>,
  place: HandlerPlace,
): Promise<LoadedHandlers> {
  const problems: string[] = [];
  const loaded: [string, Definition][] = [];
  for (const one of settings) {
    try {
      loaded.push([one.name, await loadHandler(one, place)]);
    } catch (error) {
      if (!(error instanceof HandlerProblem)) throw error;
      problems.push(`${one.where}: ${error.message}`);
    }
  }
  if (problems.length > 0) {
    const hint =
      'Paths begin at the directory of the configuration file; variables are those of this process.';
    throw new CliError('failed', `Handlers cannot be loaded.\n${problems.join('\n')}`, hint);
  }
  return Object.fromEntries(loaded);
}

/** Something that the file, or what it names, is to blame for. */
class HandlerProblem extends Error {}

async function loadHandler(settings: HandlerSettings, place: HandlerPlace): Promise<Definition> {
  const { name, command, module, http } = settings;
  const many = given({ upTo: settings.upTo, waitMs: settings.waitMs });
  const takesMany = Object.keys(many).length > 0;
  if (command !== undefined) {
    await checkProgram(command[0] ?? '', name, place);
    const options = { command, cwd: place.directory, ...handlerOptions(settings) };
    return takesMany ? manyCommandHandler({ ...options, ...many }) : commandHandler(options);
  }
  if (http !== undefined) {
    if (!takesMany) return requestHandler(settings, http, place);
    throw new HandlerProblem(
      `${name} has up_to, and a handler with http sends one job per request`,
    );
  }
  if (module === undefined) {
    throw new HandlerProblem(`${name} has neither a command nor a module nor http`);
  }
  const { [settings.export]: found, ...others } = await importModule(module, name, place.directory);
  if (found === undefined) throw noSuchExport(settings, Object.keys(others));
  const definition = definitionOf(found);
  if (definition === undefined) {
    const what = `${settings.export} of ${module}`;
    throw new HandlerProblem(
      `${what} is neither a function nor an object with a function \`run\` or \`runMany\``,
    );
  }
  if (takesMany && !('runMany' in definition)) {
    throw new HandlerProblem(
      `${name} has up_to, and ${settings.export} of ${module} has no function \`runMany\``,
    );
  }
  // Settings in the file override those in code.
  return { ...definition, ...handlerOptions(settings), ...many };
}

/** Secrets are read once, at the start: the worker does not begin without them. */
async function requestHandler(
  settings: HandlerSettings,
  { url, method, timeoutMs, headers, headersEnv = {}, secretEnv }: HttpSettings,
  { directory, env, http, clock }: HandlerPlace,
): Promise<HandlerDefinition<unknown, unknown>> {
  const { name } = settings;
  const secretOf = (variable: string): string => {
    const secret = env[variable];
    if (!secret)
      throw new HandlerProblem(`${name} needs the variable ${variable}, which is not set`);
    return secret;
  };
  const fromEnv = Object.entries(headersEnv).map(([header, variable]) => [
    header,
    secretOf(variable),
  ]);
  const secret = secretEnv === undefined ? undefined : secretOf(secretEnv);
  const ca = http.ca === undefined ? undefined : await readCa(resolve(directory, http.ca), name);
  try {
    return httpHandler({
      ...{ url, method, timeoutMs, secret, ca, clock, ...handlerOptions(settings) },
      headers: { ...headers, ...Object.fromEntries(fromEnv) },
      allowed: { hosts: http.targets, http: http.allowHttp, private: http.allowPrivate },
    });
  } catch (error) {
    if (!isRedriveError(error, 'invalid_option')) throw error;
    throw new HandlerProblem(`${name}: ${error.message}`);
  }
}

async function readCa(path: string, name: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes('BEGIN CERTIFICATE')) return text;
  throw new HandlerProblem(`${name} needs jobs.http.ca, and ${path} has no certificate`);
}

async function importModule(
  module: string,
  name: string,
  directory: string,
): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(directory, module);
  try {
    await access(path, constants.R_OK);
  } catch {
    throw new HandlerProblem(`${name} needs the module ${module}, which does not exist (${path})`);
  }
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new HandlerProblem(`the module ${module} of ${name} cannot be loaded: ${message}`);
  }
}

function noSuchExport({ name, module, export: wanted }: HandlerSettings, known: readonly string[]) {
  const close = nearest(wanted, known);
  const advice =
    close === undefined ? `it has ${known.join(', ') || 'none'}` : `did you mean ${close}?`;
  return new HandlerProblem(`${module} has no export ${wanted} for ${name}; ${advice}`);
}

function definitionOf(found: unknown): Definition | undefined {
  // The types of a function's payload and result are not known here; the worker calls it with the enqueued payload.
  if (typeof found === 'function') return { run: found as Handler<unknown, unknown> };
  if (typeof found !== 'object' || found === null) return undefined;
  const { run, runMany }: { readonly run?: unknown; readonly runMany?: unknown } = found;
  return typeof (run ?? runMany) === 'function' ? (found as Definition) : undefined;
}

/** A program that does not exist would kill every job: exit code 127 is final. */
async function checkProgram(program: string, name: string, place: HandlerPlace): Promise<void> {
  const candidates = program.includes('/')
    ? [resolve(place.directory, program)]
    : (place.env.PATH ?? '').split(delimiter).map((directory) => resolve(directory, program));
  const found = await Promise.allSettled(candidates.map((path) => access(path, constants.X_OK)));
  if (found.some(({ status }) => status === 'fulfilled')) return;
  const where = program.includes('/') ? candidates[0] : 'PATH';
  throw new HandlerProblem(
    `the program ${program} of ${name} is not there, or may not be run (${where})`,
  );
}

/**
 * The options of a handler that the file names, under the library's names. Options that it does not name are absent.
 */
export function handlerOptions(settings: HandlerSettings): HandlerOptions {
  const { policy, concurrency, concurrencyPerKey, dependency, credential } = settings;
  const { idempotent, onUnknown, stallAfterMs, onStall, deadHandler } = settings;
  const options = {
    policy,
    concurrency,
    limitPerKey: concurrencyPerKey,
    dependency,
    credential,
    idempotent,
    onUnknown,
    stallAfterMs,
    onStall,
    onDead: deadHandler,
  };
  return given(options);
}

/** The options that the file names. */
function given<O extends object>(options: O): Partial<O> {
  const named = Object.entries(options).filter(([, value]) => value !== undefined);
  // Some of the same fields.
  return Object.fromEntries(named) as Partial<O>;
}
