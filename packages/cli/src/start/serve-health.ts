import type { Log } from '../log/worker-log.ts';
import { CliError } from '../terminal/cli-error.ts';
import { type HealthCheck, type HealthServer, startHealthServer } from './health-server.ts';

export interface HealthWish {
  readonly port: number;
  /** Somebody named the port on the command line: then it must be that one. A file is shared by many workers. */
  readonly named: boolean;
}

/**
 * Serves `/livez` and `/readyz`. The default port may be taken by another worker on this machine, which is no reason not
 * to work; a port on the command line is.
 *
 * @throws CliError where the named port cannot be had.
 */
export async function serveHealth(
  wish: HealthWish | undefined,
  checks: readonly HealthCheck[],
  log: Log,
): Promise<HealthServer | undefined> {
  if (wish === undefined) return undefined;
  const { port, named } = wish;
  try {
    const server = await startHealthServer(port, checks);
    const url = `http://127.0.0.1:${server.port}`;
    log.info(
      { event: 'health.listening', port: server.port },
      `Health: ${url}/livez and ${url}/readyz`,
    );
    return server;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (named) {
      const hint = 'Choose another one with --health-port; 0: any free port, off: none.';
      throw new CliError('failed', `Health cannot be served on port ${port}: ${message}`, hint);
    }
    const text = `Health is not served, because port ${port} cannot be used: ${message}`;
    log.warn({ event: 'health.unavailable', port }, text);
    return undefined;
  }
}
