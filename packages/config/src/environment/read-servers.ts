import { resolve } from 'node:path';
import type { ValueSource } from '../config.ts';
import { readTextFile } from '../document/read-text-file.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { type Found, problemAt, subject } from './read-environment.ts';
import { type AddressPart, SERVERS, type ServerName } from './variables.ts';

/** The address of a server that the environment names. The URL has the password: never show it without `maskUrls`. */
export interface Server {
  readonly url: string;
  readonly source: ValueSource;
}

export type Servers = Readonly<Partial<Record<ServerName, Server>>>;

export interface ServersReading {
  readonly servers: Servers;
  readonly problems: readonly Problem[];
  /** The files with secrets, as absolute paths. */
  readonly files: readonly string[];
}

const MAX_SECRET_BYTES = 4_096;
const DEFAULT_PORT = { mongodb: '27017', rabbitmq: '5672' } as const;

/**
 * Makes the addresses of servers from their variables: `MONGODB_HOST`, `MONGODB_PASSWORD_FILE` and so on. A server without
 * its `…_HOST` is left out; one with a problem is not, so that nothing is reported twice. Problems never repeat a value.
 *
 * @param directory where a relative name of a secret's file begins.
 */
export async function readServers(
  texts: ReadonlyMap<string, Found>,
  names: readonly ServerName[],
  directory: string,
): Promise<ServersReading> {
  const problems: Problem[] = [];
  const files: string[] = [];
  const servers: Partial<Record<ServerName, Server>> = {};
  for (const server of names) {
    const host = texts.get(`${server.toUpperCase()}_HOST`);
    if (host === undefined) continue;
    const parts = new Map<AddressPart['part'], string>();
    for (const part of SERVERS[server]) {
      const read = await readPart(texts, `${server.toUpperCase()}_${part.part}`, part, directory);
      problems.push(...read.problems);
      if (read.file !== undefined) files.push(read.file);
      if (read.value !== undefined) parts.set(part.part, read.value);
    }
    problems.push(...missingParts(server, host, texts));
    servers[server] = {
      url: urlOf(server, parts),
      source: { kind: 'environment', where: host.where },
    };
  }
  return { servers, problems, files };
}

interface PartReading {
  readonly value?: string;
  readonly file?: string;
  readonly problems: readonly Problem[];
}

async function readPart(
  texts: ReadonlyMap<string, Found>,
  name: string,
  { pattern, expected, isSecret }: AddressPart,
  directory: string,
): Promise<PartReading> {
  const own = texts.get(name);
  const named = isSecret && texts.get(`${name}_FILE`);
  if (own !== undefined && named) {
    const message = `${subject(named)} is set, and so is ${name}`;
    return { problems: [finding('malformed_variable', problemAt(named), message, 'set one')] };
  }
  const found = named ?? own;
  if (found === undefined) return { problems: [] };
  const wrong = (message: string, suggestion: string): Problem =>
    finding('malformed_variable', problemAt(found), `${subject(found)} ${message}`, suggestion);
  if (!named) {
    const isRight = pattern.test(found.value);
    return isRight
      ? { value: found.value, problems: [] }
      : { problems: [wrong(`must be ${expected}`, 'correct its value')] };
  }
  const file = resolve(directory, found.value);
  const read = await readTextFile(file, MAX_SECRET_BYTES);
  if ('refusal' in read) {
    const message = `${subject(found)} names ${found.value}, which cannot be read: ${read.refusal}`;
    const problem = finding('unreadable_file', problemAt(found), message, read.suggestion);
    return { file, problems: [problem] };
  }
  // Editors and `echo` end a file with a line break.
  const value = read.text.replace(/\r?\n$/u, '');
  const problems = read.worldWritable
    ? [finding('world_writable', problemAt(found), `${found.value} can be changed by every user`)]
    : [];
  if (pattern.test(value)) return { value, file, problems };
  const advice = 'write the secret into it, and nothing else';
  return {
    file,
    problems: [...problems, wrong(`names a file that must have ${expected}`, advice)],
  };
}

/** MongoDB has no database by default; one of user and password alone is a mistake that a server reports late. */
function missingParts(
  server: ServerName,
  host: Found,
  texts: ReadonlyMap<string, Found>,
): Problem[] {
  const prefix = server.toUpperCase();
  const isSet = (part: string) =>
    texts.has(`${prefix}_${part}`) || texts.has(`${prefix}_${part}_FILE`);
  const missing = [
    ...(server === 'mongodb' && !isSet('DATABASE') ? ['DATABASE'] : []),
    ...(isSet('USERNAME') && !isSet('PASSWORD') ? ['PASSWORD'] : []),
    ...(isSet('PASSWORD') && !isSet('USERNAME') ? ['USERNAME'] : []),
  ];
  return missing.map((part) => {
    const message = `${subject(host)} is set, and ${prefix}_${part} is not`;
    return finding('malformed_variable', problemAt(host), message, `set ${prefix}_${part}`);
  });
}

function urlOf(server: ServerName, parts: ReadonlyMap<AddressPart['part'], string>): string {
  const user = parts.get('USERNAME');
  const login =
    user === undefined ? '' : `${escaped(user)}:${escaped(parts.get('PASSWORD') ?? '')}@`;
  const host = `${login}${parts.get('HOST')}:${parts.get('PORT') ?? DEFAULT_PORT[server]}`;
  if (server === 'rabbitmq') return `amqp://${host}`;
  // Users of a server are in its database `admin`, unless a URL says otherwise.
  return `mongodb://${host}/${escaped(parts.get('DATABASE') ?? '')}${login && '?authSource=admin'}`;
}

/** Quotes, too: a mask of URLs ends at them. */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}
