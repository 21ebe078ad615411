export { startTcpProxy, type TcpProxy, type TcpProxyOptions } from '../tcp-proxy.ts';
export { type BinarySpec, ensureBinary } from './ensure-binary.ts';
export { freePorts } from './free-ports.ts';
export { type PostgresOptions, type PostgresService, startPostgres } from './postgres.ts';
export { type RedisOptions, type RedisService, startRedis } from './redis.ts';
export type { ServicePlace } from './service-place.ts';
export type { ServiceUser } from './service-user.ts';
export { type Service, type ServiceSpec, startService } from './start-service.ts';
export { type UntilOptions, until } from './until.ts';
