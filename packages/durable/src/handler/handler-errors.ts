import type { Classifier } from '@redrive/core';
import { httpErrors } from '@redrive/core/classify/http';
import { nodeErrors } from '@redrive/core/classify/node';

/**
 * A failure that may pass by itself. Throw it, or a class that extends it, from the handler of an event: errors that
 * no table knows are final there. `retry` and jobs know it too.
 */
export class RetryableError extends Error {
  // Core knows the error by the name of its class, also where a subclass has a name of its own and a bundler shortened
  // the names of classes.
  static {
    Object.defineProperty(RetryableError, 'name', { value: 'RetryableError' });
  }
  override readonly name: string = 'RetryableError';
}

/** The document of an event does not exist yet: the event came before the document could be read. */
export class DocumentNotFoundError extends RetryableError {
  override readonly name: string = 'DocumentNotFoundError';
}

/** The request of an HTTP handler failed. Its code is `HTTP_503`, so that a policy's lists can name it. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly code?: string;
  readonly status?: number;
  /** For Retry-After. */
  readonly headers?: object;

  /** @param answer absent: there was none. */
  constructor(
    message: string,
    { cause, answer }: { cause?: unknown; answer?: { status: number; headers: object } },
  ) {
    super(message, cause === undefined ? {} : { cause });
    if (answer === undefined) return;
    this.code = `HTTP_${answer.status}`;
    this.status = answer.status;
    this.headers = answer.headers;
  }
}

/** By core's tables of HTTP statuses and of Node's errors. Without an answer, the receiver may have done it. */
export const httpFailures: Classifier = (error, context) =>
  error instanceof HttpError
    ? (httpErrors(error, context) ?? nodeErrors(error, context) ?? IN_DOUBT)
    : undefined;

const IN_DOUBT = { errorClass: 'retryable', effect: 'unknown' } as const;
