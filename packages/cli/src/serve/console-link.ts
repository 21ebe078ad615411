import { serverSettings } from '@redrive/config';
import { systemClock } from '@redrive/core';
import { hostNames } from '@redrive/durable/store';
import { CODE_MS } from '@redrive/server/access';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { accessOf, readable } from './access-file.ts';
import { DEFAULT_PORT } from './serve-api.ts';

const ANSWER_MS = 2_000;
const isLoopback = hostNames([]);

/** `redrive console link` */
export const runConsoleLink: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const origin = originOf(textOption(options, 'url') ?? `http://127.0.0.1:${DEFAULT_PORT}`);
  const { access, path } = await accessOf(invocation);
  const { proxy } = serverSettings(await loadConfig(invocation));
  if (proxy !== undefined) {
    const message = 'redrive.yaml names a trusted proxy, so there are no links.';
    throw new CliError('refused', message, 'Sign in at the proxy.');
  }
  if (readable(() => access.hasTokens)) {
    const message = `The access file ${path} has tokens, so there are no links.`;
    throw new CliError('refused', message, 'Sign in with a token on the page of the console.');
  }
  const nowMs = (io.clock ?? systemClock).now();
  const link = `${origin}/#code=${readable(() => access.createCode(nowMs))}`;
  const expires = new Date(nowMs + CODE_MS).toISOString();
  if (options.json) printJson(io, { link, expires });
  else printLines(io, [link]);
  note(io, 'It signs an admin in, once, within ten minutes.');
  if (await answers(origin)) return;
  io.stderr(
    `No console answers at ${origin}. Start it with "redrive serve", or name it with --url.\n`,
  );
};

/** @throws CliError for an address beyond loopback: its server has tokens or a proxy. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== undefined && isWeb && isLoopback(url.host)) return url.origin;
  const hint = 'Beyond loopback people sign in with a token, or at a proxy.';
  throw new CliError('usage', `--url is no address of this machine: ${text}`, hint);
}

async function answers(origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(`${origin}/v1/health`, { signal }).catch(() => undefined);
  const health: unknown = await answer?.json().catch(() => undefined);
  return answer?.ok === true && Object(health).ok === true;
}
