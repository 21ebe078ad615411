import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, wrongRows } from '../../testing/table-cases.ts';
import { natsErrors } from './nats.ts';
import { JETSTREAM_ROWS, JETSTREAM_STATUSES, NATS_ROWS } from './nats-rows.ts';

const context = { attempt: 1, nowMs: 0 };
const later = { ...context, attempt: 2 };

describe('natsErrors', () => {
  it('knows the names of @nats-io 3 and the codes of nats 2', () => {
    expect(
      wrongRows(
        natsErrors,
        NATS_ROWS,
        [
          [
            'retryable',
            'none',
            'NoResponders|503|JetStreamNotEnabled|JETSTREAM_NOT_ENABLED|CONNECTION_REFUSED|CONNECTION_TIMEOUT',
          ],
          ['retryable', 'unknown', 'TimeoutError|ConnectionError|TIMEOUT|DISCONNECT'],
          [
            'final',
            'none',
            'ClosedConnectionError|DrainingConnectionError|AuthorizationError|UserAuthenticationExpiredError|PermissionViolationError|InvalidSubjectError|InvalidArgumentError|InvalidOperationError|InvalidNameError|CONNECTION_CLOSED|CONNECTION_DRAINING|AUTHORIZATION_VIOLATION|AUTHENTICATION_EXPIRED|PERMISSIONS_VIOLATION|MAX_PAYLOAD_EXCEEDED|BAD_SUBJECT',
          ],
          ['final', 'unknown', 'ProtocolError|NATS_PROTOCOL_ERR'],
          ['rate_limited', 'none', 'MAX_CONNECTIONS_EXCEEDED'],
        ],
        (code) =>
          /Error$|Enabled$|^NoResponders$/.test(code)
            ? Object.assign(new Error('x'), { name: code })
            : Object.assign(new Error('x'), { name: 'NatsError', code }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows error codes of JetStream, of both clients', () => {
    expect(
      wrongRows(
        natsErrors,
        JETSTREAM_ROWS,
        [
          ['retryable', 'none', '10008|10009|10041|10150'],
          [
            'final',
            'none',
            '10013|10014|10037|10058|10059|10060|10065|10148|10071|10070|10164|10026|10054|10035|10039|10076',
          ],
          ['rate_limited', 'none', '10023|10028|10047|10077|10122'],
        ],
        (code) =>
          Object.assign(new Error('x'), {
            name: 'JetStreamApiError',
            code: Number(code),
            status: 400,
          }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows statuses of JetStream', () => {
    expect(
      wrongRows(
        natsErrors,
        JETSTREAM_STATUSES,
        [
          ['final', 'none', '400|403|404'],
          ['retryable', 'unknown', '408|500'],
          ['retryable', 'none', '409|503'],
          ['rate_limited', 'none', '429'],
        ],
        (code) =>
          Object.assign(new Error('x'), { name: 'JetStreamStatusError', code: Number(code) }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('reads the answer of the server from errors of nats 2', () => {
    const apiError = (code: number, err_code: number) =>
      Object.assign(new Error('x'), {
        name: 'NatsError',
        code: `${code}`,
        api_error: { code, err_code },
      });
    expect(natsErrors(apiError(400, 10071), later)).toMatchObject({ effect: 'unknown' });
    expect(natsErrors(apiError(503, 10999), context)).toMatchObject({ errorClass: 'retryable' });
  });

  it('goes by the status where JetStream has a code without a row', () => {
    const error = Object.assign(new Error('x'), {
      name: 'JetStreamApiError',
      code: 19999,
      status: 503,
    });
    expect(natsErrors(error, context)).toEqual({ errorClass: 'retryable', effect: 'none' });
  });

  it('says that a wrong last sequence on a later attempt may be our own write', () => {
    const error = Object.assign(new Error('x'), {
      name: 'JetStreamApiError',
      code: 10071,
      status: 400,
    });
    expect(natsErrors(error, later)).toEqual({ errorClass: 'final', effect: 'unknown' });
  });
});
