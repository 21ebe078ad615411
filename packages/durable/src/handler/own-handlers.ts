/** Handlers that keep Redrive running. Their jobs carry no work of users. */
export const UPKEEP_HANDLERS: readonly string[] = [
  'changes.follow',
  'escalation.look',
  'escalation.notify',
  'sweeps.run',
];
/** Further handlers of Redrive: their jobs carry events and documents of users. */
const CARRYING_HANDLERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'events.publish',
  'events.publish_dead_letters',
]);
/** The name of a collection follows. */
const DOCUMENT_HANDLERS = 'documents.';

/**
 * Whether a handler is one of Redrive itself, such as `events.publish` or `documents.orders`. Redrive makes their jobs:
 * their payloads name buses, webhooks and collections.
 */
export function isOwnHandler(handler: string): boolean {
  return (
    UPKEEP_HANDLERS.includes(handler) ||
    CARRYING_HANDLERS.has(handler) ||
    handler.startsWith(DOCUMENT_HANDLERS)
  );
}
