import {
  type AuditListAnswer,
  type AuditListInput,
  type CallOptions,
  call,
  createClient,
  isClientError,
  RedriveClientError,
} from '@redrive/client';
import type { Me } from '@redrive/server/client';
import { noteServerTime } from './clock.ts';
import { keyHeaders } from './key.ts';
import { me } from './me.ts';

export { RedriveClientError };

/** The server of this page. */
const HERE = {
  url: '',
  headers: keyHeaders,
  onHeaders: (headers: Headers) => noteServerTime(headers.get('date')),
  fetch: async (address: string, init: RequestInit) => {
    const response = await fetch(address, init);
    if (response.status === 401 && address !== '/v1/me') me.value = null;
    return response;
  },
};

/** The words of browsers differ, and none says what to do. */
const AWAY = 'The server does not answer. Check that it runs, then try again.';

/** Everything that an operator can look at or do. */
export const client = createClient(HERE);

/** A record of the audit log. */
export type LogRecord = Extract<AuditListAnswer['records'][number], { readonly record: string }>;

/** Records of the log. @throws RedriveClientError */
export async function auditRecords(input: AuditListInput = {}, options: CallOptions = {}) {
  const { records, next } = await client.audit.list(input, options);
  // Without a format all are records of the log.
  return { records: records as readonly LogRecord[], next };
}

/** The user of this page. @throws RedriveClientError */
export async function whoAmI(): Promise<Me> {
  return (await call(HERE, 'GET /v1/me')) as Me; // As the route has it.
}

/** Changes something by an address that is no action. @throws RedriveClientError */
export async function post<T = unknown>(path: string, input: object = {}): Promise<T> {
  // The caller names the document of the route.
  return (await call(HERE, `POST ${path}`, input)) as T;
}

export function asProblem(error: unknown): RedriveClientError {
  if (!isClientError(error)) {
    const detail = error instanceof Error ? error.message : String(error);
    return new RedriveClientError({ code: 'page_error', detail }, 0);
  }
  const { code } = error;
  return code === 'no_answer' ? new RedriveClientError({ code, detail: AWAY }, 0) : error;
}
