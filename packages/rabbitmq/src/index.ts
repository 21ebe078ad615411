export { type RabbitmqBusOptions, rabbitmqBus } from './rabbitmq-bus.ts';
