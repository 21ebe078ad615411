export { type NatsLedger, type NatsLedgerOptions, natsLedger } from './kv-ledger.ts';
export { type NatsBusOptions, natsBus } from './nats-bus.ts';
