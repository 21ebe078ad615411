// Retries by category, with a kill switch in NATS KV and all retries in an audit log:
// `NATS_URL=nats://127.0.0.1:4222 node incident.ts`, then `redrive audit list --store sqlite:audit.db`
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { isRetryError } from '@redrive/core';
import { computeIdempotencyKey } from '@redrive/core/idempotency';
import { RetryManager } from '@redrive/core/manager';
import { auditSink } from '@redrive/durable/audit';
import { natsLedger } from '@redrive/nats';
import { openStore } from '@redrive/sqlite';

const servers = process.env.NATS_URL ?? 'nats://127.0.0.1:4222';
const store = await openStore('audit.db');
await store.migrate();
const events = auditSink(store);
const ledger = natsLedger(servers);

/** As of the last look at the bucket. An engaged switch ends all retries of the manager. */
let state = 'released';
const manager = new RetryManager({
  events,
  ledger,
  killSwitch: { isEngaged: () => state === 'engaged' },
});
const incident = { tenantId: 'tenant-123', correlationId: 'corr-456', traceId: 'trace-789' };

/** Runs a call under the policy of its category. Its first attempt fails, as calls do on a bad day. */
async function call(category: string, operation: string, run: () => unknown, key?: string) {
  const ids = key === undefined ? incident : { ...incident, idempotencyKey: key };
  try {
    const answer = await manager.executeWithRetry(
      category,
      operation,
      ({ attempt }) => {
        if (attempt > 1) return run();
        throw Object.assign(new Error('Connection timeout'), { name: 'TimeoutError' });
      },
      ids,
    );
    console.log(`${category}, ${operation}: ${answer}`);
    return answer;
  } catch (error) {
    console.log(
      `${category}, ${operation}: gave up (${isRetryError(error) ? error.reason : error})`,
    );
    return undefined;
  }
}

const connection = await connect({ servers });
const control = await new Kvm(jetstream(connection)).create('control');

async function look(): Promise<void> {
  state = String(
    await call('KV_GET', 'Get kill switch status', async () => {
      return (await control.get('all_execution'))?.string() ?? 'released';
    }),
  );
}

/** The key makes it happen once, however often and from how many processes it is called. */
async function storeSwitch(wanted: string): Promise<void> {
  const { tenantId, correlationId } = incident;
  const params = { switch_name: 'all_execution', state: wanted };
  const key = computeIdempotencyKey('kill_switch_update', tenantId, correlationId, params);
  const put = async () => {
    await control.put('all_execution', wanted);
    return wanted;
  };
  await call('KV_PUT', 'Store kill switch state', put, key);
}

await look();
await Promise.all([
  call('APPROVAL_CHECK', 'Check approval', () => 'approved'),
  call('APPROVAL_GRANT', 'Grant approval', () => 'granted'),
  call('EXECUTION_INTENT', 'Execute intent', () => 'executed'),
  call('EXECUTION_CONTAINMENT', 'Isolate host', () => 'isolated'),
  call('EXECUTION_EXPIRATION', 'Expire intents', () => 'one attempt: never reached'),
  call('REPLAY_PROCESSING', 'Replay audit stream', () => 'one attempt: never reached'),
  call('REPLAY_VALIDATION', 'Validate replay', () => 'valid'),
  call('API_REQUEST', 'Request intents', () => '3 intents'),
  call('API_VALIDATION', 'Validate input', () => 'valid'),
]);

// Somebody throws the kill switch, twice. From then on no call makes a further attempt.
await storeSwitch('engaged');
await storeSwitch('engaged');
await look();
await call('EXECUTION_INTENT', 'Execute intent', () => 'executed');

await events.close();
await ledger.close();
await connection.close();
await store.close();
