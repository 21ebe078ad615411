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
export {
  consumeEvents,
  type EventConsumer,
  type EventConsumerParts,
  type SourceState,
  type SourceStatus,
} from './event-consumer.ts';
export { eventHeaders } from './event-headers.ts';
export type { EventSource } from './event-source.ts';
export {
  type EventOutcome,
  type HandleEventOptions,
  handleEventWithRetry,
} from './handle-event.ts';
export { memoryBus } from './memory-bus.ts';
export {
  type OutgoingEvent,
  type PublishHandlerOptions,
  publishHandler,
  READ_TOKEN_HEADER,
} from './publish-handler.ts';
export { DocumentNotFoundError, RetryableError } from './retryable-error.ts';
export { storeBus } from './store-bus.ts';
