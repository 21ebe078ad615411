import { type Config, sweepsSettings } from '@redrive/config';
import { RedriveError } from '@redrive/core';
import type { ChangeFeed, DocumentSource, Sweep } from '@redrive/durable/documents';
import { unknownCollection } from '@redrive/operate/run';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { type Io, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

/** The sweeps of a configuration, with their databases open. */
export interface OpenSweeps {
  readonly sweeps: readonly Sweep[];
  /** The feeds of the collections with `changes`. */
  readonly feeds: readonly ChangeFeed[];
  readonly intervalMs: number;
  readonly config: Config;
  close(): Promise<void>;
}

/**
 * Opens the database of each collection, once per address. Policies follow the configuration in force; everything else
 * is that of the start.
 *
 * @param only collections with these names; none: all.
 */
export async function openSweeps(
  io: Io,
  current: () => Config,
  only: readonly string[] = [],
): Promise<OpenSweeps> {
  const config = current();
  const { intervalMs, collections } = sweepsSettings(config, io.directory);
  const names = collections.map(({ name }) => name);
  for (const name of only) if (!names.includes(name)) throw unknownCollection(name, names);
  const sources = new Map<string, DocumentSource>();
  const sweeps: Sweep[] = [];
  const feeds: ChangeFeed[] = [];
  const close = async () => {
    await Promise.all([...sources.values()].map((source) => source.close()));
  };
  try {
    for (const settings of collections) {
      const { name, source: url, table, fields, pending, done, failed, ...rest } = settings;
      if (only.length > 0 && !only.includes(name)) continue;
      const source = sources.get(url) ?? (await io.openDocuments(url));
      sources.set(url, source);
      const collection = { name: table, fields, pending, done, failed };
      const { changes: kinds, event } = settings;
      if (kinds.length > 0) feeds.push({ name, source, collection, kinds, event });
      const atStart = policyOf(config, settings.policy);
      const policy = () => current().policies.get(settings.policy)?.policy ?? atStart;
      sweeps.push({
        ...{ ...rest, name, source, collection },
        get policy() {
          return policy();
        },
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { sweeps, feeds, intervalMs, config, close };
}

function policyOf(config: Config, name: string) {
  const policy = config.policies.get(name)?.policy;
  // The validator has checked it.
  if (policy === undefined) throw new RedriveError('invalid_config', `No policy ${name}`);
  return policy;
}

/** Opens the collections that a command names (none: all), and closes them whatever happens. */
export async function withSweeps<T>(
  invocation: Invocation,
  only: readonly string[],
  use: (open: OpenSweeps) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(invocation);
  const open = await openSweeps(invocation.io, () => config, only);
  try {
    if (open.sweeps.length === 0) throw new CliError('no_match', 'No collection is swept.', NONE);
    return await use(open);
  } finally {
    await open.close();
  }
}

const NONE = 'Declare collections in redrive.yaml under sweeps.collections.';

export const runSweepInit: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const dryRun = options.dryRun === true;
  return withSweeps(invocation, args, async ({ sweeps }) => {
    const collections: { name: string; parts: readonly string[] }[] = [];
    for (const { name, source, collection } of sweeps) {
      collections.push({ name, parts: await source.prepare(collection, { dryRun }) });
    }
    if (options.json) return printJson(io, { dry_run: dryRun, collections });
    const done = dryRun ? 'is missing' : 'is created';
    const lines = collections.flatMap(({ name, parts }) =>
      parts.length === 0
        ? [`${name}: nothing is missing`]
        : parts.map((part) => `${name}: ${part} ${done}`),
    );
    printLines(io, lines.map(printable));
  });
};
