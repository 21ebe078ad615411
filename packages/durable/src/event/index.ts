export {
  DEAD_LETTER_HANDLER,
  DEAD_LETTER_QUEUE,
  deadLetterHandler,
  deadLetterSchedule,
  type PublishedDeadLetters,
} from '../dead-letter/publish-dead-letters.ts';
export { DocumentNotFoundError, RetryableError } from '../handler/handler-errors.ts';
export { memoryBus } from '../memory/memory-bus.ts';
export {
  type OutgoingEvent,
  type PublishHandlerOptions,
  publishHandler,
  READ_TOKEN_HEADER,
} from '../outbox/publish-handler.ts';
export { storeBus } from '../store/store-bus.ts';
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
