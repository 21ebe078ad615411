import {
  type ClientOptions,
  call,
  isClientError,
  items,
  type RedriveClientError,
} from '@redrive/client';
import { maskUrls } from '@redrive/config';
import { systemClock } from '@redrive/core';
import {
  type ActionName,
  MANIFEST,
  type ManifestEntry,
  Refusal,
  type RefusalKind,
} from '@redrive/operate/manifest';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError, type ExitName } from '../terminal/exit-codes.ts';
import { readVersion } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { exitOf } from '../terminal/report-error.ts';
import type { Call, Place, Ran } from './place.ts';
import type { Server } from './server-of.ts';
import { fetchWith } from './tls-fetch.ts';

interface Remote {
  readonly invocation: Invocation;
  readonly server: Server;
}

/** Runs an action through the HTTP API. The answer, the refusals and the exit codes are those of a store. */
export function placeOnServer(name: ActionName, input: object, remote: Remote): Place {
  const own = { name, input };
  return {
    run: (call) => runOnServer({ ...own, ...call }, remote),
    items: (call) => itemsOnServer({ ...own, ...call }, remote),
    close: async () => {},
  };
}

type Asked = Call & Required<Pick<Call, 'name' | 'input'>>;

async function runOnServer(asked: Asked, remote: Remote): Promise<Ran> {
  const { io } = remote.invocation;
  const { client, entry, input, headers } = asking(asked, remote);
  try {
    if (entry.acts) await checkVersion(client, headers);
    const answer = await call(client, entry.at, input);
    for (const warning of warningsIn(headers())) io.stderr(`${printable(warning)}\n`);
    const asOf = Number(headers().get('x-redrive-as-of') ?? Number.NaN);
    return {
      answer: Object(answer),
      nowMs: Number.isFinite(asOf) ? asOf : (io.clock ?? systemClock).now(),
      place: maskUrls(remote.server.url),
      created: false,
    };
  } catch (error) {
    throw isClientError(error) ? localError(error) : error;
  }
}

async function* itemsOnServer(asked: Asked, remote: Remote): AsyncGenerator<object> {
  const { client, entry, input } = asking(asked, remote);
  try {
    for await (const item of items(client, entry.at, input, { signal: asked.signal })) {
      yield Object(item);
    }
  } catch (error) {
    throw isClientError(error) ? localError(error) : error;
  }
}

/** The request: the server, the action and its input with the reason. `headers`: those of the newest answer. */
function asking(
  { name, input, reason: given }: Asked,
  { invocation: { options }, server: { url, token, ca } }: Remote,
) {
  const entry: ManifestEntry = MANIFEST[name];
  let headers = new Headers();
  const client: ClientOptions = {
    ...{ url, token },
    ...(ca !== undefined && url.startsWith('https:') && { fetch: fetchWith(ca) }),
    onHeaders: (newest) => {
      headers = newest;
    },
  };
  const reason = given ?? textOption(options, 'reason');
  const withReason = { ...input, ...(reason === undefined ? {} : { reason }) };
  return { client, entry, input: withReason, headers: () => headers };
}

/** Another version could understand an act in another way. @throws CliError `refused`, before anything is sent. */
async function checkVersion(client: ClientOptions, headers: () => Headers): Promise<void> {
  await call(client, 'GET /v1/me');
  const theirs = headers().get('x-redrive-version');
  const own = readVersion();
  if (theirs === own) return;
  const older =
    theirs === null || isOlder(theirs, own) ? 'The server is older' : 'This command line is older';
  throw new CliError(
    'refused',
    `Nothing was sent: the server has version ${theirs ?? 'unknown'}, this command line ${own}.`,
    `${older}: update it. Commands that only read work with both.`,
  );
}

function isOlder(one: string, other: string): boolean {
  const parts = (version: string) => version.split(/[.+-]/).map(Number);
  const [a, b] = [parts(one), parts(other)];
  for (const at of [0, 1, 2]) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Lines for stderr, as the store's side printed them. */
function warningsIn(headers: Headers): string[] {
  try {
    const list: unknown = JSON.parse(decodeURIComponent(headers.get('x-redrive-warnings') ?? '[]'));
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

/** The exit codes of the server's own codes. */
const EXITS: Readonly<Record<string, ExitName>> = {
  invalid_input: 'usage',
  not_found: 'no_match',
  not_confirmed: 'refused',
  refused: 'refused',
  conflict: 'conflict',
  not_allowed: 'not_permitted',
  not_authenticated: 'not_permitted',
  reason_missing: 'usage',
  no_answer: 'unreachable',
  no_document: 'unreachable',
  no_route: 'unreachable',
  timeout: 'unreachable',
};

const HINTS: Readonly<Record<string, string>> = {
  no_route: 'Check the address of the server; an older server has fewer routes.',
  reason_missing: 'Give it with --reason.',
  not_authenticated: 'The token is wrong, was revoked, or has expired.',
};

/** The error that the same command has on a store. */
function localError(error: RedriveClientError): Error {
  const { code, message, hint = HINTS[code], problems, plan } = error;
  if (plan !== undefined) {
    return new Refusal('not_confirmed' satisfies RefusalKind, message, hint, [], plan);
  }
  if (code === 'invalid_input' && problems.length > 0) {
    return new Refusal(code satisfies RefusalKind, message, hint, problems);
  }
  return new CliError(EXITS[code] ?? exitOf(code), message, hint);
}
