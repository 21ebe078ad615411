import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, wrongRows } from '../../testing/table-cases.ts';
import { amqpErrors } from './amqp.ts';
import { AMQP_MESSAGES, AMQP_ROWS } from './amqp-rows.ts';

const context = { attempt: 1, nowMs: 0 };

describe('amqpErrors', () => {
  it('knows reply codes of channels and connections', () => {
    expect(
      wrongRows(
        amqpErrors,
        AMQP_ROWS,
        [
          ['rate_limited', 'none', '311|506'],
          ['final', 'none', '312|402|403|404|406|530|540'],
          ['retryable', 'none', '313|405'],
          ['retryable', 'unknown', '320'],
          ['final', 'unknown', '501|502|503|504|505|541'],
        ],
        (code) => new Error(`Channel closed by server: ${code} (SOME-NAME) with message "x"`),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows messages of amqplib', () => {
    expect(
      wrongRows(
        amqpErrors,
        AMQP_MESSAGES,
        [
          [
            'retryable',
            'none',
            'message nacked|Channel closed|Channel closing|Connection closed|Connection closing|Socket closed abruptly during opening handshake|connect ETIMEDOUT',
          ],
          [
            'retryable',
            'unknown',
            'channel closed|Heartbeat timeout|Unexpected close|Channel ended, no reply will be forthcoming',
          ],
          ['rate_limited', 'none', 'No channels left to allocate'],
        ],
        (text) => new Error(text),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it.each([
    ['Connection closed: 320 (CONNECTION-FORCED) with message "bye"', 'retryable'],
    ['Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "no queue"', 'final'],
    ['Handshake terminated by server: 403 (ACCESS-REFUSED)', 'final'],
  ])('reads the code of "%s"', (message, errorClass) => {
    expect(amqpErrors(new Error(message), context)).toMatchObject({ errorClass });
  });

  it.each([Object.assign(new Error('Not found'), { code: 404 }), new Error('404'), 404])(
    'leaves statuses of HTTP alone: %s',
    (error) => expect(amqpErrors(error, context)).toBeUndefined(),
  );
});
