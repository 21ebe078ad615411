import type { ServicePlace } from './service-place.ts';

const PROBE_TIMEOUT_MS = 2_000;

/** Whether a service answers 200 at a path. */
export async function httpAnswers(
  { host, port }: Pick<ServicePlace, 'host' | 'port'>,
  path: string,
): Promise<boolean> {
  try {
    const url = `http://${host}:${port}${path}`;
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
