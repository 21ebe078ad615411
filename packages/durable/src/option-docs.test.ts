import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// The page lists every option there is; the interfaces are what a program can pass. Both must say the same.
const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/reference/jobs.md');

/** The members of an interface, from its source. */
function optionsOf(name: string, file: string): string[] {
  const pattern = new RegExp(`export interface ${name}\\b[^]*?\\{\\n(.*?)^\\}`, 'ms');
  const [, body = ''] = pattern.exec(read(`packages/${file}`)) ?? [];
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, option = '']) => option);
}

/** The first column of the first table below a heading. */
function rowsBelow(heading: string): string[] {
  const [, section = ''] =
    new RegExp(`^## ${heading}\\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(page) ?? [];
  return [...section.matchAll(/^\| `(\w+)` \| \S.* \| \S.*\|$/gm)].map(([, option = '']) => option);
}

describe('docs/reference/jobs.md', () => {
  it.each([
    ['Jobs on a store', 'JobsOptions', 'durable/src/jobs/jobs.ts'],
    ['A handler', 'HandlerOptions', 'durable/src/handler/handler.ts'],
    ['The context of a handler', 'JobContext', 'durable/src/handler/job-context.ts'],
    ['Enqueueing', 'EnqueueOptions', 'durable/src/jobs/jobs.ts'],
    ['Schedules', 'ScheduleOptions', 'durable/src/schedule/schedule.ts'],
    ['Waiting', 'WaitOptions', 'durable/src/jobs/jobs.ts'],
    ['Stopping', 'StopOptions', 'durable/src/jobs/jobs.ts'],
    ['Retention', 'RetentionOptions', 'durable/src/jobs/jobs.ts'],
    ['A command', 'CommandOptions', 'durable/src/command/command-handler.ts'],
    ['A store in memory', 'MemoryStoreOptions', 'durable/src/memory/memory-store.ts'],
    ['A SQLite store', 'SqliteStoreOptions', 'sqlite/src/open-store.ts'],
    ['A Postgres store', 'PostgresStoreOptions', 'postgres/src/options.ts'],
    ['A Postgres target', 'PostgresTarget', 'postgres/src/options.ts'],
  ])('%s: has every option of %s once, and no other', (heading, name, file) => {
    const options = optionsOf(name, file);
    expect(options.length).toBeGreaterThan(0);
    expect(rowsBelow(heading).toSorted()).toEqual(options.toSorted());
  });
});
