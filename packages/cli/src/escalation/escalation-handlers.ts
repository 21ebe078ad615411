import { type Config, escalationSettings } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type EscalationChannel,
  LOOK_HANDLER,
  lookHandler,
  NOTIFY_HANDLER,
  notifyHandler,
} from '@redrive/durable/escalation';
import type { LoadedHandlers } from '../start/load-handlers.ts';
import type { Io } from '../terminal/io.ts';
import { rulesOf } from './escalations.ts';

/** The handlers of escalation, which read the configuration in force. `undefined`: it has no channel. */
export function escalationHandlers(
  io: Io,
  current: () => Config,
  store: FullStore,
  clock: Clock,
): LoadedHandlers | undefined {
  const settings = () => escalationSettings(current());
  if (Object.keys(settings().channels).length === 0) return undefined;
  const notify = notifyHandler({
    channels: () => channelsOf(io, settings()),
    tiers: () => settings().tiers,
    allowed: () => ({ http: settings().allowHttp, private: settings().allowPrivate }),
    clock,
  });
  const look = lookHandler(store, () => rulesOf(current()));
  // A handler names its payload; a map of loaded handlers does not.
  return { [LOOK_HANDLER]: look, [NOTIFY_HANDLER]: notify } as LoadedHandlers;
}

function channelsOf(
  io: Io,
  { channels }: ReturnType<typeof escalationSettings>,
): Readonly<Record<string, EscalationChannel>> {
  const made = Object.entries(channels).map(([name, channel]): [string, EscalationChannel] => {
    const { url, command, authorizationEnv, timeoutMs } = channel;
    if (url === undefined) return [name, { command: command ?? [], timeoutMs }];
    if (authorizationEnv === undefined) return [name, { url, timeoutMs }];
    const authorization = io.env[authorizationEnv];
    const problem = authorization ? undefined : `the variable ${authorizationEnv} is not set`;
    return [name, { url, timeoutMs, authorization, problem }];
  });
  return Object.fromEntries(made);
}
