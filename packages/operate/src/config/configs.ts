import { parseConfig } from '@redrive/config';
import * as z from 'zod';
import { action } from '../action/action.ts';
import { flag } from '../action/scalars.ts';
import { CONFIG_VALUES, VALIDATION } from '../policy/policy-schema.ts';
import { configValues, validation } from './config-answer.ts';

/** Of a configuration, and a byte more, so that its own check refuses the rest. */
const MAX_TEXT = 256 * 1024 + 1;

/** The configuration. It is changed in its file and nowhere else. */
export const CONFIG = {
  show: action({
    at: 'GET /v1/config',
    summary: 'print the values in force and where each came from',
    details: 'Names and units are those of the file: times are seconds. Passwords are masked.',
    role: 'viewer',
    reads: 'metrics',
    uses: 'config',
    input: z.strictObject({
      effective: flag
        .default(false)
        .describe('every value, presets and defaults included; otherwise only those that were set'),
    }),
    answer: CONFIG_VALUES,
    run: async ({ config }, wish) => configValues(await config(), wish),
  }),

  validate: action({
    at: 'POST /v1/config/validate',
    summary: 'check a text as a configuration, without the environment; changes nothing',
    details:
      'Warnings do not make a file invalid. Every code is explained in docs/reference/configuration.md.',
    role: 'viewer',
    heavy: true,
    uses: 'config',
    tenants: true,
    input: z.strictObject({
      text: z.string().max(MAX_TEXT).describe('the text of the file'),
      file: z.string().max(512).optional().describe('the name of the file, for its problems'),
    }),
    answer: VALIDATION,
    run: async (_, { text, file }) =>
      validation(parseConfig(text, file === undefined ? {} : { file })),
  }),
};
