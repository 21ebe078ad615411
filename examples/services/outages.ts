// In the handler of an event an error is final, unless something classifies it.
import { classify } from '@redrive/core';
import { nodeErrors } from '@redrive/core/classify/node';
import { postgresErrors } from '@redrive/core/classify/postgres';
import type { JobContext } from '@redrive/durable';
import { RetryableError } from '@redrive/durable/events';

const RULES = { classify: [postgresErrors, nodeErrors], unclassified: 'final' } as const;

/** A handler that is tried again where the database or the network failed. Other errors stay as they are. */
export function retryOutages<E>(run: (event: E, context: JobContext) => Promise<string>) {
  return async (event: E, context: JobContext): Promise<string> => {
    try {
      return await run(event, context);
    } catch (error) {
      if (classify(error, RULES).errorClass !== 'retryable') throw error;
      throw new RetryableError(error instanceof Error ? error.message : 'outage', { cause: error });
    }
  };
}
