import type { JobsSettings } from '@redrive/config';
import type { Options } from '../command/command-spec.ts';
import { integerOption, listOption, textOption } from '../command/option-values.ts';
import { parseDuration } from '../terminal/parse-time.ts';
import type { HealthWish } from './serve-health.ts';

/** What the file says about jobs, and the command line on top. */
export interface StartSettings extends JobsSettings {
  readonly health: HealthWish | undefined;
}

/** @throws CliError with the exit code 2. */
export function startSettings(settings: JobsSettings, options: Options): StartSettings {
  const queues = listOption(options, 'queue');
  const grace = textOption(options, 'grace');
  const concurrency = integerOption(options, 'concurrency', { min: 1, max: 10_000 });
  return {
    ...settings,
    concurrency: concurrency ?? settings.concurrency,
    ...(queues.length === 0 ? {} : { queues }),
    graceMs: grace === undefined ? settings.graceMs : parseDuration(grace, '--grace'),
    health: healthWish(settings, options),
  };
}

/** A run that ends by itself is nobody's service, so it serves health only when asked to. */
function healthWish({ healthPort }: JobsSettings, options: Options): HealthWish | undefined {
  if (options.healthPort === 'off') return undefined;
  const port = integerOption(options, 'healthPort', { min: 0, max: 65_535 });
  if (port !== undefined) return { port, named: true };
  return options.untilIdle ? undefined : { port: healthPort, named: false };
}
