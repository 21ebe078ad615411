export {
  BUS_CAPABILITIES,
  BUS_TIMEOUTS,
  type Bus,
  type BusCapabilities,
  type BusCheck,
  type BusMessage,
  type BusNotice,
  type BusProblem,
  type BusSource,
  type ConsumeOptions,
  type Consumption,
  type Delivery,
  MAX_EVENT_BYTES,
  type PublishResult,
  type Take,
} from './bus.ts';
export { memoryBus } from './memory-bus.ts';
