import type { Policy } from '@redrive/core';
import { CATEGORY_POLICIES, findCategory } from '@redrive/core/manager';

/** A group of built-in policies. */
export interface Preset {
  readonly name: string;
  /** One sentence. */
  readonly meaning: string;
  /** By id: what the preset says. What it leaves out comes from `global_defaults`, then from the built-in defaults. */
  readonly policies: Readonly<Record<string, Policy>>;
}

export type PresetName = 'categories' | 'documents' | 'runs' | 'events';

const MINUTE_MS = 60_000;

/** Said outright, though they are the defaults of code, because the defaults of files are others. */
const CATEGORY: Policy = {
  backoff: 'exponential',
  multiplier: 2,
  jitter: 'proportional',
  jitterAmount: 0.1,
};

/**
 * By the attempts that a document has behind it: no wait for n ≤ 1, then 10, 20 and 40 minutes, capped at 60. That is an
 * exponential schedule from 5 minutes whose first retry is immediate.
 */
const DOCUMENT: Policy = {
  backoff: 'exponential',
  baseDelayMs: 5 * MINUTE_MS,
  maxDelayMs: 60 * MINUTE_MS,
  multiplier: 2,
  immediateFirstRetry: true,
  jitter: 'none',
};

/** The built-in policies, by preset: the matrix of categories, the document types, runs and events. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  categories: {
    name: 'categories',
    meaning: 'In-process calls, by kind of call.',
    policies: /* @__PURE__ */ Object.fromEntries(
      Object.entries(CATEGORY_POLICIES).map(([id, policy]) => [id, { ...CATEGORY, ...policy }]),
    ),
  },
  documents: {
    name: 'documents',
    meaning: 'Sweeps of stuck documents, by type.',
    policies: {
      'documents.archives': { ...DOCUMENT, maxAttempts: 3, description: 'Parsing of archives' },
      'documents.messages': { ...DOCUMENT, maxAttempts: 3, description: 'Processing of messages' },
      'documents.chunks': { ...DOCUMENT, maxAttempts: 5, description: 'Embedding of chunks' },
      'documents.threads': { ...DOCUMENT, maxAttempts: 5, description: 'Summaries of threads' },
    },
  },
  runs: {
    name: 'runs',
    meaning: 'Durable jobs. Their waits are minutes, at most an hour.',
    policies: {
      'runs.default': {
        description: 'Durable jobs',
        maxAttempts: 8,
        backoff: 'exponential',
        baseDelayMs: MINUTE_MS,
        maxDelayMs: 60 * MINUTE_MS,
        multiplier: 2,
        jitter: 'none',
      },
    },
  },
  events: {
    name: 'events',
    meaning: 'Redelivery of messages from a bus.',
    policies: {
      'events.default': {
        description: 'Handlers of events',
        maxAttempts: 8,
        backoff: 'exponential',
        baseDelayMs: 250,
        maxDelayMs: MINUTE_MS,
        multiplier: 2,
        jitter: 'full',
        jitterAmount: 1,
        ttlMs: 30 * MINUTE_MS,
        unclassified: 'final',
      },
    },
  },
};

/** The preset that has this policy. */
export function presetOf(id: string): Preset | undefined {
  return Object.values(PRESETS).find(({ policies }) => Object.hasOwn(policies, id));
}

/**
 * The id of the built-in policy that a text names: the id itself, a category's short name or old spelling, either of them
 * after `categories.`, or the name of a preset that has a `default`: `events`.
 */
export function findPresetPolicy(text: string): string | undefined {
  if (presetOf(text) !== undefined) return text;
  if (presetOf(`${text}.default`) !== undefined) return `${text}.default`;
  return findCategory(text.replace(/^categories\./, ''));
}
