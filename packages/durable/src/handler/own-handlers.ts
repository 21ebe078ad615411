/** Handlers of Redrive itself. Their jobs are made by Redrive: their payloads name buses, webhooks and collections. */
const OWN_HANDLERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'changes.follow',
  'escalation.look',
  'escalation.notify',
  'events.publish',
  'events.publish_dead_letters',
  'sweeps.run',
]);
/** The name of a collection follows. */
const DOCUMENT_HANDLERS = 'documents.';

/** Whether a handler is one of Redrive itself, such as `events.publish` or `documents.orders`. */
export function isOwnHandler(handler: string): boolean {
  return OWN_HANDLERS.has(handler) || handler.startsWith(DOCUMENT_HANDLERS);
}
