import type { Config, Problem } from '@redrive/config';
import { configGroups } from '@redrive/config/documents';
import type * as z from 'zod';
import type { CONFIG_VALUES, VALIDATION } from '../policy/policy-schema.ts';

/** Passwords in URLs and arguments are masked, and payloads of schedules. */
export function configValues(
  config: Config,
  wish: { readonly effective: boolean },
): z.input<typeof CONFIG_VALUES> {
  const { file = null, version, hash } = config;
  const values = configGroups(config, wish).flatMap(({ path: group, values: of }) =>
    of.map(({ field, servedBy, ...rest }) => ({
      path: field === '' ? group : `${group}.${field}`,
      ...{ group, ...rest, served_by: servedBy ?? null },
    })),
  );
  return { file, version, hash, values };
}

export function validation({
  config,
  problems,
}: {
  readonly config?: Config;
  readonly problems: readonly Problem[];
}): z.input<typeof VALIDATION> {
  return {
    valid: config !== undefined,
    problems: problems.map(({ suggestion = null, file = null, ...problem }) => ({
      ...problem,
      ...{ suggestion, file },
    })),
  };
}
