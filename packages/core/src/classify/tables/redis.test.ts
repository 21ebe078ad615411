import { describe, expect, it } from 'vitest';
import { ALL_RIGHT, wrongRows } from '../../testing/table-cases.ts';
import { redisErrors } from './redis.ts';
import { REDIS_CLIENTS, REDIS_REPLIES } from './redis-rows.ts';

const context = { attempt: 1, nowMs: 0 };

describe('redisErrors', () => {
  it('knows error replies', () => {
    expect(
      wrongRows(
        redisErrors,
        REDIS_REPLIES,
        [
          [
            'retryable',
            'none',
            'LOADING|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|BUSY|READONLY|NOREPLICAS|MISCONF|MOVED|ASK|NOSCRIPT|NOGOODSLAVE',
          ],
          ['retryable', 'unknown', 'UNBLOCKED'],
          ['rate_limited', 'none', 'OOM'],
          [
            'final',
            'none',
            'BUSYKEY|BUSYGROUP|EXECABORT|CROSSSLOT|WRONGTYPE|NOAUTH|NOPERM|WRONGPASS|NOPROTO|DENIED|ERR',
          ],
        ],
        (word) => Object.assign(new Error(`${word} says the server`), { name: 'ReplyError' }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it("knows the clients' own errors", () => {
    expect(
      wrongRows(
        redisErrors,
        REDIS_CLIENTS,
        [
          [
            'retryable',
            'none',
            `ConnectionTimeoutError|ClientOfflineError|RootNodesUnavailableError|WatchError|ClusterAllFailedError|Stream isn't writeable and enableOfflineQueue options is false`,
          ],
          [
            'retryable',
            'unknown',
            'SocketClosedUnexpectedlyError|DisconnectsClientError|SocketTimeoutError|CommandTimeoutDuringMaintenanceError|MaxRetriesPerRequestError|Command timed out|Connection is closed.',
          ],
          ['final', 'none', 'ClientClosedError'],
        ],
        (code) =>
          / /.test(code) ? new Error(code) : Object.assign(new Error('x'), { name: code }),
      ),
    ).toEqual(ALL_RIGHT);
  });

  it('knows the error classes of node-redis, which have no name of their own', () => {
    class SimpleError extends Error {}
    class ClientOfflineError extends Error {}
    const limited = { errorClass: 'rate_limited', effect: 'none' };
    expect(redisErrors(new SimpleError('OOM command not allowed'), context)).toEqual(limited);
    const away = { errorClass: 'retryable', effect: 'none' };
    expect(redisErrors(new ClientOfflineError('The client is offline'), context)).toEqual(away);
  });

  it('leaves other errors alone whose first word is one of Redis', () => {
    expect(redisErrors(new Error('ASK somebody else'), context)).toBeUndefined();
    expect(redisErrors(new Error('x'), context)).toBeUndefined();
  });
});
