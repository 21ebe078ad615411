import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, wrongRows } from '../../testing/table-cases.ts';
import { kafkaErrors } from './kafka.ts';
import { KAFKA_NAMES, KAFKA_ROWS } from './kafka-rows.ts';

const context = { attempt: 1, nowMs: 0 };

describe('kafkaErrors', () => {
  it('knows codes of the protocol and of librdkafka', () => {
    expect(
      wrongRows(
        kafkaErrors,
        KAFKA_ROWS,
        [
          ['retryable', 'unknown', '-1|7|13|20|56|-185|-192|-195'],
          [
            'final',
            'none',
            '1|4|10|11|12|17|18|21|29|30|31|35|36|42|47|48|53|58|82|87|90|-191|-144|-169',
          ],
          ['retryable', 'none', '2|3|5|6|8|9|14|15|16|19|22|25|27|41|51|72|74|75|-187|-193'],
          ['final', 'unknown', '45|67|-150'],
          ['final', 'applied', '46'],
          ['rate_limited', 'none', '89|-184'],
        ],
        (code) =>
          Object.assign(new Error('x'), { name: 'KafkaJSProtocolError', code: Number(code) }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows names of KafkaJS', () => {
    expect(
      wrongRows(
        kafkaErrors,
        KAFKA_NAMES,
        [
          [
            'retryable',
            'unknown',
            'KafkaJSConnectionError|KafkaJSConnectionClosedError|KafkaJSRequestTimeoutError|KafkaJSTimeout',
          ],
          [
            'retryable',
            'none',
            'KafkaJSLockTimeout|KafkaJSBrokerNotFound|KafkaJSMetadataNotLoaded|KafkaJSTopicMetadataNotLoaded|KafkaJSStaleTopicMetadataAssignment|KafkaJSGroupCoordinatorNotFound',
          ],
          [
            'final',
            'none',
            'KafkaJSSASLAuthenticationError|KafkaJSNotImplemented|KafkaJSServerDoesNotSupportApiKey',
          ],
          ['final', 'unknown', 'KafkaJSUnsupportedMagicByteInMessageSet|KafkaJSInvalidVarIntError'],
        ],
        (name) => Object.assign(new Error('x'), { name }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows errors of librdkafka, and those without a row by whether they can be retried', () => {
    const rdkafka = { name: 'LibrdKafkaError', code: -195, origin: 'local' };
    expect(kafkaErrors(rdkafka, context)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
    const can = { name: 'KafkaJSProtocolError', code: 999, retriable: true };
    expect(kafkaErrors(can, context)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
    expect(kafkaErrors({ ...can, retriable: false }, context)).toEqual({
      errorClass: 'final',
      effect: 'none',
    });
    expect(kafkaErrors({ ...can, retriable: undefined }, context)).toBeUndefined();
    const typed = { code: 5, type: 'LEADER_NOT_AVAILABLE' };
    expect(kafkaErrors(typed, context)).toEqual({ errorClass: 'retryable', effect: 'none' });
  });

  it('knows that a message which the broker has twice was written', () => {
    const error = { name: 'KafkaJSProtocolError', code: 46 };
    expect(kafkaErrors(error, context)).toEqual({ errorClass: 'final', effect: 'applied' });
  });

  it('leaves small numbers of other errors alone', () => {
    expect(kafkaErrors({ code: 5 }, context)).toBeUndefined();
    expect(kafkaErrors({ code: 5, type: 'system' }, context)).toBeUndefined();
  });
});
