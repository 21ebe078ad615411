import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PIPELINE_OPTIONS } from '../pipeline/pipeline.ts';
import { CALL_OPTIONS } from './retry-options.ts';

// The page lists every option there is; the interfaces are what a program can pass. Both must say the same.
const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/reference/options.md');

/** The members of an interface, and those that it picks from another one, from their source. */
function optionsOf(name: string, file: string): string[] {
  const pattern = new RegExp(`export interface ${name}\\b(.*?)\\{\\n(.*?)^\\}`, 'ms');
  const [, heritage = '', body = ''] = pattern.exec(read(`packages/core/src/${file}`)) ?? [];
  const own = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)];
  return [...own, ...heritage.matchAll(/'(\w+)'/g)].map(([, option = '']) => option);
}

/** The first column of the table below a heading. */
function rowsBelow(heading: string): string[] {
  const [, section = ''] =
    new RegExp(`^## ${heading}\\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(page) ?? [];
  return [...section.matchAll(/^\| `(\w+)` \|.+\|.+\|$/gm)].map(([, option = '']) => option);
}

it.each([
  ['RetryOptions', 'run/retry-options.ts', CALL_OPTIONS],
  ['PipelineOptions', 'pipeline/pipeline.ts', PIPELINE_OPTIONS],
])('the names that are known are those of %s', (name, file, known) => {
  expect([...known].toSorted()).toEqual(optionsOf(name, file).toSorted());
});

describe('docs/reference/options.md', () => {
  it.each([
    ['A call', 'RetryOptions', 'run/retry-options.ts'],
    ['A pipeline', 'PipelineOptions', 'pipeline/pipeline.ts'],
    ['Requests', 'HttpCallOptions', 'fetch/http-calls.ts'],
    ['A circuit breaker', 'CircuitBreakerOptions', 'breaker/breaker-options.ts'],
    ['A retry budget', 'RetryBudgetOptions', 'budget/retry-budget.ts'],
    ['A bulkhead', 'BulkheadOptions', 'bulkhead/bulkhead.ts'],
    ['A memory ledger', 'MemoryLedgerOptions', 'ledger/memory-ledger.ts'],
    ['A retry manager', 'RetryManagerOptions', 'manager/retry-manager.ts'],
    ['An event sink', 'EventSinkOptions', 'records/event-sink.ts'],
    ['A session log', 'SessionLogOptions', 'records/session-log.ts'],
    ['Handing over', 'HandOverOption', 'hand-over/hand-over.ts'],
  ])('%s: has every option of %s once, and no other', (heading, name, file) => {
    const options = optionsOf(name, file);
    expect(options.length).toBeGreaterThan(2);
    expect(rowsBelow(heading).toSorted()).toEqual(options.toSorted());
  });
});
