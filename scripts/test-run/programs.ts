import {
  ALERTMANAGER_PROGRAM,
  AMTOOL_PROGRAM,
  type BinarySpec,
  CHROMIUM_PROGRAM,
  CURL_PROGRAM,
  ensureBinaries,
  NATS_PROGRAM,
  OPENSSL_PROGRAM,
  PGBOUNCER_PROGRAM,
  POSTGRES_PROGRAM,
  PROMETHEUS_PROGRAM,
  PROMTOOL_PROGRAM,
  PUSHGATEWAY_PROGRAM,
  RABBITMQ_PROGRAM,
  REDIS_PROGRAM,
} from '@redrive/testkit/services';
import { STRACE } from '../crash/disk-fault.ts';
import { COMPILER } from '../packed/compiler.ts';

/** Every program that a test starts and a fresh Debian lacks. A test finds a program that is not in this list. */
export const PROGRAMS: readonly BinarySpec[] = [
  POSTGRES_PROGRAM,
  PGBOUNCER_PROGRAM,
  REDIS_PROGRAM,
  NATS_PROGRAM,
  RABBITMQ_PROGRAM,
  PROMETHEUS_PROGRAM,
  PROMTOOL_PROGRAM,
  PUSHGATEWAY_PROGRAM,
  ALERTMANAGER_PROGRAM,
  AMTOOL_PROGRAM,
  CURL_PROGRAM,
  OPENSSL_PROGRAM,
  CHROMIUM_PROGRAM,
  STRACE,
  ...COMPILER,
];

/** Installs the missing ones before any test runs: otherwise each test file would try, or fail, by itself. */
export async function ensurePrograms(): Promise<void> {
  await ensureBinaries(PROGRAMS);
}
