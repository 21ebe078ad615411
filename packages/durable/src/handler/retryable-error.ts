import type { Classifier } from '@redrive/core';

/**
 * A failure that may pass by itself. Throw it, or a class that extends it, from the handler of an event: errors that
 * nothing classifies are final there.
 */
export class RetryableError extends Error {
  override readonly name: string = 'RetryableError';
}

/** The document of an event does not exist yet: the event came before the document could be read. */
export class DocumentNotFoundError extends RetryableError {
  override readonly name: string = 'DocumentNotFoundError';
}

/** By name, because two copies of the package have two classes. */
export const retryableErrors: Classifier = (error) => {
  if (!(error instanceof Error)) return undefined;
  const { name } = error;
  const isMeant = name === 'RetryableError' || name === 'DocumentNotFoundError';
  return isMeant || error instanceof RetryableError ? RETRYABLE : undefined;
};

const RETRYABLE = { errorClass: 'retryable', effect: 'unknown' } as const;
