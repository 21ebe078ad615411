import { type Config, escalationSettings } from '@redrive/config';
import type { FullStore } from '@redrive/durable';
import {
  type Escalation,
  type EscalationRules,
  type Escalations,
  readEscalations,
} from '@redrive/durable/escalation';
import type { Invocation } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';

/** The tiers, the calendar and the times of a configuration. */
export function rulesOf(config: Config): EscalationRules {
  const { tiers, hours, resolveAfterMs } = escalationSettings(config);
  return { tiers, hours, resolveAfterMs };
}

/** Reads the escalations by the rules of the configuration. */
export async function withEscalations<T>(
  invocation: Invocation,
  use: (read: Escalations, store: FullStore) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(invocation);
  const rules = rulesOf(config);
  return withStore(invocation, async (store) => use(await readEscalations(store, rules), store), {
    config,
  });
}

/** By its key or the only key that begins so. @throws CliError with the exit code 3. */
export function findEscalation({ escalations }: Escalations, key: string): Escalation {
  const exact = escalations.find((one) => one.key === key);
  const close = escalations.filter((one) => one.key.startsWith(key));
  const found = exact ?? (close.length === 1 ? close[0] : undefined);
  if (found !== undefined) return found;
  const text = close.length > 1 ? `${close.length} escalations begin with ${key}.` : noSuch(key);
  throw new CliError('no_match', text, '"redrive escalations list" lists them.');
}

export const noSuch = (key: string) => `There is no escalation ${key}.`;
