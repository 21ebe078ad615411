import type { Classification, ClassifyContext } from './classification.ts';
import { meaning } from './classify-status.ts';
import type { Fields } from './error-facts.ts';
import { OWN_ERRORS } from './own-errors.ts';
import { lookUpAmqp } from './tables/amqp.ts';
import { lookUpAws } from './tables/aws.ts';
import { lookUpGrpc } from './tables/grpc.ts';
import { lookUpHttp } from './tables/http.ts';
import { lookUpKafka } from './tables/kafka.ts';
import { lookUpMongodb } from './tables/mongodb.ts';
import { lookUpMysql } from './tables/mysql.ts';
import { lookUpNats } from './tables/nats.ts';
import { lookUpNode } from './tables/node.ts';
import { lookUpPostgres } from './tables/postgres.ts';
import { lookUpRedis } from './tables/redis.ts';
import { type LookUp, nearestOf } from './tables/row.ts';
import { lookUpSqlite } from './tables/sqlite.ts';

/** Drivers first: their errors often carry a code of the network or a status too, which says less. */
const TABLES: readonly LookUp[] = [
  lookUpMongodb,
  lookUpSqlite,
  lookUpNats,
  lookUpAmqp,
  lookUpKafka,
  lookUpRedis,
  lookUpMysql,
  lookUpPostgres,
  lookUpAws,
  lookUpGrpc,
  lookUpHttp,
  lookUpNode,
];

/**
 * The meaning of the nearest cause that `own` or a table knows. In bundles for browsers, `known-errors-in-browsers.ts`
 * takes the place of this file (`browser` in package.json), because the tables weigh more than half of `retry`.
 */
export function classifyKnown(
  causes: readonly unknown[],
  context: ClassifyContext,
  own: (
    error: Fields,
    known: Readonly<Record<string, Classification>>,
  ) => Classification | undefined,
): Classification | undefined {
  return nearestOf(causes, (each) => own(each, OWN_ERRORS) ?? lookUp(each, context));
}

/** A cancellation that the caller did not ask for is retryable: the work is not done. */
const lookUp: LookUp = (cause, context) => {
  for (const table of TABLES) {
    const found = table(cause, context);
    if (found === undefined) continue;
    return found.errorClass === 'ignored' && !context.signal?.aborted ? meaning() : found;
  }
  return undefined;
};
