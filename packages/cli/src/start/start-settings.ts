import { resolve } from 'node:path';
import type { JobsSettings } from '@redrive/config';
import type { Options } from '../command/command-spec.ts';
import { durationOption, integerOption, listOption } from '../command/option-values.ts';
import type { HealthWish } from './health-server.ts';

/** The jobs section of the file, overridden by the command line. */
export interface StartSettings extends JobsSettings {
  readonly health: HealthWish | undefined;
}

/**
 * @param directory of the configuration file, where the paths in it begin.
 * @throws CliError with the exit code 2.
 */
export function startSettings(
  settings: JobsSettings,
  options: Options,
  directory: string,
): StartSettings {
  const queues = listOption(options, 'queue');
  const concurrency = integerOption(options, 'concurrency', { min: 1, max: 10_000 });
  return {
    ...settings,
    concurrency: concurrency ?? settings.concurrency,
    ...(queues.length === 0 ? {} : { queues }),
    graceMs: durationOption(options, 'grace') ?? settings.graceMs,
    retention: retentionIn(settings, directory),
    health: healthWish(settings, options),
  };
}

function retentionIn({ retention }: JobsSettings, directory: string): JobsSettings['retention'] {
  const { archive } = retention;
  return archive === undefined ? retention : { ...retention, archive: resolve(directory, archive) };
}

/** A run that ends by itself is nobody's service, so it serves health only when asked to. */
function healthWish({ healthPort }: JobsSettings, options: Options): HealthWish | undefined {
  if (options.healthPort === 'off') return undefined;
  const port = integerOption(options, 'healthPort', { min: 0, max: 65_535 });
  if (port !== undefined) return { port, named: true };
  return options.untilIdle ? undefined : { port: healthPort, named: false };
}
