export { type NatsBusOptions, natsBus } from './nats-bus.ts';
