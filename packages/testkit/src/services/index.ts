export { startTcpProxy, type TcpProxy, type TcpProxyOptions } from '../tcp-proxy.ts';
export { CHROMIUM_PROGRAM, type ChromiumLaunch, chromium } from './chromium.ts';
export {
  type BinarySpec,
  ensureBinaries,
  ensureBinary,
  OPENSSL_PROGRAM,
} from './ensure-binary.ts';
export { freePorts } from './free-ports.ts';
export {
  type MongodbOptions,
  type MongodbReplicaSet,
  type MongodbService,
  startMongodb,
  startMongodbReplicaSet,
} from './mongodb.ts';
export { CURL_PROGRAM } from './mongodb-program.ts';
export {
  NATS_PROGRAM,
  type NatsCluster,
  type NatsOptions,
  type NatsService,
  startNats,
  startNatsCluster,
} from './nats.ts';
export {
  commandsIn,
  HOSTILE_NAMES,
  mistakenArguments,
  pastedArguments,
} from './pasted-commands.ts';
export {
  PGBOUNCER_PROGRAM,
  type PgBouncerOptions,
  type PgBouncerService,
  startPgBouncer,
} from './pgbouncer.ts';
export {
  POSTGRES_PROGRAM,
  type PostgresOptions,
  type PostgresService,
  startPostgres,
} from './postgres.ts';
export {
  ALERTMANAGER_PROGRAM,
  type AlertmanagerOptions,
  AMTOOL_PROGRAM,
  type MetricsService,
  PROMETHEUS_PROGRAM,
  PROMTOOL_PROGRAM,
  type PrometheusOptions,
  PUSHGATEWAY_PROGRAM,
  startAlertmanager,
  startPrometheus,
  startPushgateway,
} from './prometheus.ts';
export {
  RABBITMQ_PROGRAM,
  type RabbitmqCluster,
  type RabbitmqOptions,
  type RabbitmqService,
  startRabbitmq,
  startRabbitmqCluster,
} from './rabbitmq.ts';
export { REDIS_PROGRAM, type RedisOptions, type RedisService, startRedis } from './redis.ts';
export type { ServicePlace } from './service-place.ts';
export type { ServiceUser } from './service-user.ts';
export { type Service, type ServiceSpec, startService } from './start-service.ts';
export { type UntilOptions, until } from './until.ts';
