import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, wrongRows } from '../../testing/table-cases.ts';
import { mongodbErrors } from './mongodb.ts';
import { MONGODB_LABELS, MONGODB_NAMES, MONGODB_ROWS } from './mongodb-rows.ts';

const context = { attempt: 1, nowMs: 0 };
const later = { ...context, attempt: 2 };

describe('mongodbErrors', () => {
  it('knows labels, whatever the code', () => {
    expect(
      wrongRows(
        mongodbErrors,
        MONGODB_LABELS,
        [
          ['retryable', 'unknown', 'UnknownTransactionCommitResult|RetryableWriteError'],
          ['retryable', 'none', 'TransientTransactionError|PoolRequestedRetry|PoolRequstedRetry'],
        ],
        (label) =>
          Object.assign(new Error('x'), {
            name: 'MongoServerError',
            code: 2,
            errorLabels: [label],
          }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows codes of the server', () => {
    expect(
      wrongRows(
        mongodbErrors,
        MONGODB_ROWS,
        [
          ['final', 'none', '2|9|11|13|14|18|20|26|40|48|59|66|72|85|86|121|251|11000'],
          ['retryable', 'unknown', '6|50|64|89|91|189|202|262|9001|11600|11601|11602'],
          ['retryable', 'none', '7|112|133|134|10107|13388|13435|13436'],
          ['rate_limited', 'none', '462|14031|16500'],
        ],
        (code) => Object.assign(new Error('x'), { name: 'MongoServerError', code: Number(code) }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows names of the driver', () => {
    expect(
      wrongRows(
        mongodbErrors,
        MONGODB_NAMES,
        [
          [
            'retryable',
            'unknown',
            'MongoNetworkError|MongoNetworkTimeoutError|MongoOperationTimeoutError',
          ],
          [
            'retryable',
            'none',
            'MongoServerSelectionError|MongoWaitQueueTimeoutError|MongoPoolClearedError',
          ],
          [
            'final',
            'none',
            'MongoPoolClosedError|MongoTopologyClosedError|MongoNotConnectedError|MongoClientClosedError|MongoParseError|MongoInvalidArgumentError|MongoAPIError|MongoMissingCredentialsError|MongoExpiredSessionError|MongoTransactionError',
          ],
        ],
        (name) => Object.assign(new Error('x'), { name }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('says that a key which exists on a later attempt may be our own', () => {
    const error = { name: 'MongoServerError', code: 11000 };
    expect(mongodbErrors(error, later)).toEqual({ errorClass: 'final', effect: 'unknown' });
  });

  it('leaves numbers of other errors alone, and labels that it does not know', () => {
    expect(mongodbErrors({ code: 11000 }, context)).toBeUndefined();
    expect(mongodbErrors({ name: 'MongoError', errorLabels: ['Other'] }, context)).toBeUndefined();
  });
});
