import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { templateFields } from '../sections/event-template.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';
import { SWEEP_PRESET, type SweepTemplate, sweepsSection } from '../sections/sweeps-section.ts';

/** The section `sweeps`, in the units of code. */
export interface SweepsSettings {
  readonly intervalMs: number;
  readonly collections: readonly SweepSettings[];
}

/** A collection as the file declares it, with the preset and the defaults filled in. */
export interface SweepSettings {
  readonly name: string;
  /** URL of the database; a relative SQLite file is made absolute. */
  readonly source: string;
  readonly table: string;
  readonly fields: {
    readonly id: string;
    readonly status: string;
    readonly count: string;
    readonly time: string;
    readonly mark: string;
    readonly error: string;
    readonly created?: string;
    /** Fields that the event and the priority need. */
    readonly read: readonly string[];
  };
  readonly pending: readonly string[];
  readonly done: readonly string[];
  readonly failed: string;
  /** Id of a policy. */
  readonly policy: string;
  readonly thresholdMs: number;
  readonly minimumAgeMs: number;
  /** Longer back-off while few of the last events are done. */
  readonly dynamicBackoff: boolean;
  /** Empty: none. */
  readonly dependency: string;
  readonly priority?: { readonly field: string; readonly first: 'newest' | 'highest' };
  /** Kinds of changes that send the event at once. */
  readonly changes: readonly ('insert' | 'update' | 'replace' | 'delete')[];
  readonly event: {
    readonly type: string;
    readonly bus: string;
    readonly destination: string;
    /** A template. */
    readonly data: SweepTemplate;
    /** The field with the whole event. */
    readonly field?: string;
    /** The source that stores the events of the documents. */
    readonly source?: string;
  };
  /** The event of a failed attempt, for `documentsOn`. Absent: none. */
  readonly failedEvent?: Omit<SweepSettings['event'], 'field' | 'source'>;
}

/**
 * Reads the section `sweeps` of a configuration, preset and defaults filled in.
 *
 * @param directory where the file's own name begins. Default: the working directory.
 */
export function sweepsSettings(config: Config, directory = process.cwd()): SweepsSettings {
  const { shape } = sweepsSection;
  // The validator has checked it against the same shape that fills in the defaults and names the keys.
  const file = inCode(shape, sectionDefaults(shape, config.sections.sweeps), wholeMs) as FileSweeps;
  const { intervalMs, stuckThresholdMs, collections = {} } = file;
  return {
    intervalMs,
    collections: Object.entries(collections).map(([name, given]) =>
      settingsOf(name, given, stuckThresholdMs, (url) => absolute(url, config.file, directory)),
    ),
  };
}

function settingsOf(
  name: string,
  given: FileCollection,
  stuckThresholdMs: number,
  absoluteUrl: (url: string) => string,
): SweepSettings {
  const preset = SWEEP_PRESET[name];
  const { priorityField, bus, eventField, eventSource } = given;
  const data = given.data ?? preset?.data(given.idField) ?? { id: `$${given.idField}` };
  const read = [...templateFields(data), ...[priorityField ?? [], eventField ?? []].flat()];
  const { createdField } = given;
  const type = given.event ?? preset?.event ?? '';
  const destination = given.destination ?? preset?.destination ?? '';
  const failedType = given.failedEvent ?? preset?.failedEvent;
  const failedTo = given.failedDestination ?? preset?.failedDestination ?? '';
  return {
    name,
    source: absoluteUrl(given.source),
    table: given.table ?? name,
    fields: {
      id: given.idField,
      status: given.statusField,
      count: given.countField,
      time: given.timeField,
      mark: given.markField,
      error: given.errorField,
      ...(createdField !== undefined && { created: createdField }),
      read: [...new Set(read)],
    },
    ...{ pending: given.pending, done: given.done, failed: given.failed },
    policy: given.policy ?? `documents.${name}`,
    thresholdMs: given.stuckThresholdMs ?? stuckThresholdMs,
    minimumAgeMs: given.minimumAgeMs,
    dynamicBackoff: given.dynamicBackoff,
    dependency: given.dependency ?? '',
    ...(priorityField && { priority: { field: priorityField, first: given.priority } }),
    changes: given.changes ?? [],
    event: {
      ...{ type, bus, destination, data },
      ...(eventField !== undefined && { field: eventField }),
      ...(eventSource !== undefined && { source: eventSource.source }),
    },
    ...(failedType !== undefined && {
      failedEvent: { type: failedType, bus, destination: failedTo, data },
    }),
  };
}

function absolute(url: string, file: string | undefined, directory: string): string {
  const [, relative] = /^sqlite:(?!\/)(.+)$/.exec(url) ?? [];
  if (relative === undefined) return url;
  return `sqlite:${resolve(directory, dirname(file ?? ''), relative)}`;
}

const wholeMs = (seconds: number) => Math.round(seconds * 1_000);

interface FileSweeps {
  readonly intervalMs: number;
  readonly stuckThresholdMs: number;
  readonly collections?: Readonly<Record<string, FileCollection>>;
}

interface FileCollection {
  readonly source: string;
  readonly table?: string;
  readonly idField: string;
  readonly statusField: string;
  readonly countField: string;
  readonly timeField: string;
  readonly markField: string;
  readonly errorField: string;
  readonly createdField?: string;
  readonly pending: readonly string[];
  readonly done: readonly string[];
  readonly failed: string;
  readonly policy?: string;
  readonly stuckThresholdMs?: number;
  readonly minimumAgeMs: number;
  readonly dynamicBackoff: boolean;
  readonly dependency?: string;
  readonly priorityField?: string;
  readonly priority: 'newest' | 'highest';
  readonly changes?: SweepSettings['changes'];
  readonly bus: string;
  readonly event?: string;
  readonly destination?: string;
  readonly failedEvent?: string;
  readonly failedDestination?: string;
  readonly eventField?: string;
  readonly eventSource?: { readonly source: string };
  readonly data?: SweepTemplate;
}
