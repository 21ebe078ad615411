/**
 * How a command failed. Its `code` is `EXIT_<n>` or the signal's name, so that a policy's lists can name it; its message
 * is the end of what it wrote to stderr.
 */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly code: string;
  /** 429 for a command that was rate-limited: by this, core's rules know what it is. */
  readonly status?: number;

  constructor(code: string, message: string, status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}
