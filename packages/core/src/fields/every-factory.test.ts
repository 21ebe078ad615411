import {
  bulkhead,
  circuitBreaker,
  circuitBreakers,
  definePolicy,
  eventSink,
  memoryLedger,
  retryBudget,
  retryBudgets,
} from '@redrive/core';
import { axiosAdapter } from '@redrive/core/axios';
import { retryingFetch } from '@redrive/core/fetch';
import { sessionLog } from '@redrive/core/records';
import { redriveInterceptor } from '@redrive/core/undici';
import { describe, expect, it } from 'vitest';

type Given = Readonly<Record<string, unknown>>;

/** Everything that takes options, as plain JavaScript calls it. */
const factories: Readonly<Record<string, (options: Given) => unknown>> = {
  definePolicy,
  circuitBreaker,
  circuitBreakers,
  retryBudget,
  retryBudgets,
  bulkhead: (options) => bulkhead({ limit: 1, ...options }),
  memoryLedger,
  eventSink: (options) => eventSink(() => {}, options),
  sessionLog,
  retryingFetch,
  redriveInterceptor,
  axiosAdapter,
};

describe.each(Object.entries(factories))('%s', (_, make) => {
  it('refuses an option that it does not know, and names it', () => {
    expect(() => make({ misspelt: 1 })).toThrow(/^Invalid .*misspelt is unknown; known are /);
  });
});

it('says what was given for an option that must be there', () => {
  const without = {} as { limit: number }; // What plain JavaScript may pass.
  expect(() => bulkhead(without)).toThrow(/limit must be a whole number .*, not undefined\.$/);
});

it('refuses a listener that cannot listen', () => {
  const wrong = undefined as unknown as () => void; // What plain JavaScript may pass.
  expect(() => eventSink(wrong)).toThrow('listener must be a function, not undefined');
});
