import { serverSettings } from '@redrive/config';
import { systemClock } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { AccessFile } from '@redrive/server/access';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, listOption, textOption } from '../command/option-values.ts';
import { configuredStore, findStore } from '../config/configured-store.ts';
import { loadConfig } from '../config/load-config.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { accessPath } from './access-file.ts';
import { DEFAULT_PORT, errorText, serveApi } from './serve-api.ts';

/** They name no host that a request could carry. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** `redrive serve` */
export const runServe: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const port = integerOption(options, 'port', { min: 0, max: 65_535 }) ?? DEFAULT_PORT;
  const address = textOption(options, 'host');
  const own = address === undefined || WILDCARDS.includes(address) ? [] : [address];
  const config = await loadConfig(invocation);
  const url = await findStore(invocation, () => configuredStore(invocation, config));
  const path = accessPath(invocation, url);
  /** `redrive console link` refuses where people have another way in. */
  const signInHint = (served: string) => {
    if (serverSettings(config).proxy !== undefined) return 'Sign in at the proxy, or with a token.';
    return new AccessFile(path).hasTokens
      ? 'Sign in with a token.'
      : `To sign in: ${commandText`redrive console link --url ${served}`}`;
  };
  const named = { ...invocation, options: { ...options, store: url, verbose: false } };
  return withStore(named, async (store) => {
    const clock = io.clock ?? systemClock;
    const parts = { config: () => config, store, url, clock };
    const server = await serveApi(invocation, parts, {
      ...{ port, address, accessFile: path, secure: options.secure === true },
      hosts: [...own, ...listOption(options, 'allowHost')],
      onError: (message, error) => io.stderr(`${errorText(message, error)}\n`),
    });
    try {
      const { url: served } = server;
      // Without a terminal the output goes to a log, and each reader of the log could become an admin.
      const link = io.screen.isTerminal ? server.signInLink() : undefined;
      if (options.json) printJson(io, { url: served, link: link ?? null, access_file: path });
      else printLines(io, [link ?? served]);
      note(io, `It serves until Ctrl-C. Tokens and sign-ins: ${printable(path)}`);
      if (link === undefined) note(io, signInHint(served));
      await untilStopped(io, (stopped) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        stopped.addEventListener('abort', () => resolve(), { once: true });
        return promise;
      });
      return EXIT.ok;
    } finally {
      await server.close();
    }
  });
};
