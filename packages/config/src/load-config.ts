import { dirname, resolve } from 'node:path';
import type { Config, Override } from './config.ts';
import { noContent } from './content/file-content.ts';
import { MAX_BYTES } from './document/parse-yaml.ts';
import { readTextFile } from './document/read-text-file.ts';
import { MAX_ENV_FILE_BYTES } from './environment/parse-env-file.ts';
import { readEnvironment } from './environment/read-environment.ts';
import { readServers } from './environment/read-servers.ts';
import { type CheckedFile, checkFile } from './parse-config.ts';
import { finding, isValid, type Problem, WHOLE_FILE } from './problem/problem.ts';
import { type LastChange, lastChangeOf } from './reload/last-change.ts';
import { missingServers } from './resolve/fill-servers.ts';
import { resolveConfig } from './resolve/resolve-config.ts';

export interface LoadOptions {
  /** The configuration file. Default: none, the presets alone. */
  readonly file?: string | undefined;
  /** The environment file. Default: the file's own `env_file`, from the directory of the file; else none. */
  readonly envFile?: string | undefined;
  /** The process's variables. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Values of the command line, the strongest. Default: none. */
  readonly flags?: readonly Override[] | undefined;
  /** Where relative names begin. Default: the working directory. */
  readonly directory?: string | undefined;
}

/** The result of reading a configuration. */
export interface LoadedConfig {
  /** Absent where there is an error. */
  readonly config?: Config;
  readonly problems: readonly Problem[];
  /** The files that it was made of, as absolute paths. Where the first one cannot be read, the others are not known. */
  readonly files: readonly string[];
  /** The last change of these files. Absent: there are none, or they cannot be looked at. */
  readonly lastChange?: LastChange | undefined;
}

/**
 * Reads a configuration once: file, environment file, environment and flags, put together by precedence. Never throws:
 * whatever is wrong is in `problems`, all of it at once.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { environment = process.env, flags = [], directory = process.cwd() } = options;
  const read = await readFile(options.file, directory);
  const env = await readEnvFile(options.envFile, directory, read);
  const outside = readEnvironment({ environment, envFile: env?.content });
  const { content } = read.checked ?? {};
  const missing = content === undefined ? [] : missingServers(content);
  const { servers, ...secrets } = await readServers(outside.serverTexts, missing, directory);
  const around = [read, env ?? NOTHING, outside, secrets].flatMap(({ problems }) => problems);
  const files = [read.path, env?.path, ...secrets.files].filter((path) => path !== undefined);
  if (read.checked === undefined) return { problems: around, files };
  const { config, problems } = resolveConfig(read.checked, {
    ...outside,
    servers,
    overrides: [...outside.overrides, ...flags],
  });
  const all = [...problems, ...around];
  if (!isValid(all) || config === undefined) return { problems: all, files };
  return { config, problems: all, files, lastChange: await lastChangeOf(files) };
}

const NOTHING = { problems: [] };

interface ConfigFile {
  /** Absent: there is no file. */
  readonly path?: string;
  /** Absent where the file cannot be read. */
  readonly checked?: CheckedFile;
  readonly problems: readonly Problem[];
}

async function readFile(file: string | undefined, directory: string): Promise<ConfigFile> {
  if (file === undefined) return { checked: { problems: [], content: noContent() }, problems: [] };
  const path = resolve(directory, file);
  const { text, problems } = await readInput(file, path, MAX_BYTES);
  return { path, problems, ...(text === undefined ? {} : { checked: checkFile(text, file) }) };
}

interface EnvFile {
  readonly path: string;
  readonly content: { readonly name: string; readonly text: string } | undefined;
  readonly problems: readonly Problem[];
}

/**
 * The environment file that the caller names, else the file's `env_file`. That one begins where the configuration file
 * is, so that the same file means the same in every working directory.
 */
async function readEnvFile(
  given: string | undefined,
  directory: string,
  { path: configPath = '', checked }: ConfigFile,
): Promise<EnvFile | undefined> {
  const own = checked?.document?.get('env_file');
  const name = given ?? (typeof own === 'string' && own !== '' ? own : undefined);
  if (name === undefined) return undefined;
  const path = resolve(given === undefined ? dirname(configPath) : directory, name);
  const { text, problems } = await readInput(name, path, MAX_ENV_FILE_BYTES);
  return { path, problems, content: text === undefined ? undefined : { name, text } };
}

interface Input {
  readonly text?: string;
  readonly problems: readonly Problem[];
}

async function readInput(file: string, path: string, maxBytes: number): Promise<Input> {
  const read = await readTextFile(path, maxBytes);
  const place = { ...WHOLE_FILE, file };
  if ('refusal' in read) {
    const message = `${file} cannot be read: ${read.refusal}`;
    return { problems: [finding('unreadable_file', place, message, read.suggestion)] };
  }
  if (!read.worldWritable) return { text: read.text, problems: [] };
  const message = `${file} can be changed by every user of this machine`;
  const problems = [finding('world_writable', place, message, `chmod o-w ${file}`)];
  return { text: read.text, problems };
}
