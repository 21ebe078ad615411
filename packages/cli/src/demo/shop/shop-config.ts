import { type Config, parseConfig } from '@redrive/config';

/** Imports need this file, and it does not exist at first: something to fix. */
export const MISSING_FILE = 'redrive-demo.csv';

/** The handlers of the shop. */
export const SHOP = {
  order: 'shop.order',
  authorize: 'authorize',
  charge: 'charge',
  mail: 'mail',
  report: 'report',
  import: 'import',
} as const;

/** The source of its events, and their subject. */
export const ORDERS = { source: 'orders', subject: 'order.placed', bus: 'shop' } as const;
/** The handler of the jobs with which a sweep sends the events of stuck orders. */
export const SWEPT = 'documents.orders';

/** Where the shop keeps its orders, and where it is paged. */
interface Places {
  readonly file: string;
  readonly pager: string;
}

/** As in a `redrive.yaml`, with seconds where a shop would have minutes and hours, so that there is something to see. */
const textOf = ({ file, pager }: Places) => `version: "1.1.0"
policies:
  shop.authorize:
    name: Calls of the payment service
    max_attempts: 4
    backoff_type: exponential
    base_delay: 0.2
    max_delay: 2
    attempt_timeout: 2
    ttl: 15
  shop.order:
    name: Events of orders
    max_attempts: 5
    backoff_type: exponential
    base_delay: 0.4
    max_delay: 4
    jitter_type: full
    jitter_amount: 1
  shop.charge:
    name: Charges
    max_attempts: 8
    backoff_type: exponential
    base_delay: 0.5
    max_delay: 4
    enable_circuit_breaker: true
    circuit_breaker_threshold: 3
    circuit_breaker_timeout: 1.5
  shop.mail:
    name: Mails
    max_attempts: 5
    backoff_type: exponential
    base_delay: 0.5
    max_delay: 4
  shop.report:
    name: Reports
    max_attempts: 3
    backoff_type: fixed
    base_delay: 0.5
    max_delay: 1
  # Nothing uses it, and the review of policies says so.
  shop.fax:
    name: Faxes
    backoff_type: exponential
    max_attempts: 12
    base_delay: 30
    max_delay: 600
  shop.stuck:
    name: Stuck orders
    max_attempts: 3
    backoff_type: fixed
    base_delay: 1
    max_delay: 2
    jitter_type: none
subsystem_mappings:
  payments: { authorize: shop.authorize }
breakers:
  payments: { probe_timeout: 1 }
buses:
  ${ORDERS.bus}: { url: "store:" }
jobs:
  lease_seconds: 10
  grace_seconds: 1
  concurrency: 8
  retention: { succeeded: 300, cancelled: 300, dead: 900, purged: 300 }
  handlers:
    ${SHOP.order}: { policy: shop.order, idempotent: true }
    ${SHOP.authorize}: { policy: shop.charge, dependency: payments, idempotent: true }
    ${SHOP.charge}: { policy: shop.charge, dependency: payments, concurrency: 3, idempotent: true }
    ${SHOP.mail}: { policy: shop.mail, idempotent: true }
    ${SHOP.report}: { policy: shop.report, concurrency: 2, idempotent: true }
    ${SHOP.import}: { policy: shop.report, idempotent: true }
events:
  sources:
    ${ORDERS.source}: { bus: ${ORDERS.bus}, subject: ${ORDERS.subject}, handler: ${SHOP.order}, key: ["data.order_id"] }
sweeps:
  interval: 3
  stuck_threshold: 4
  collections:
    orders:
      source: ${JSON.stringify(`sqlite:${file}`)}
      id_field: id
      created_field: placed_ms
      minimum_age: 8
      bus: ${ORDERS.bus}
      event: OrderPlaced
      destination: ${ORDERS.subject}
      event_source: { source: ${ORDERS.source} }
      data: { order_id: $id }
      policy: shop.stuck
      pending: [placed, packing]
      done: [shipped]
      failed: failed
escalation:
  look_every: 3
  resolve_after: 20
  allow_http: ["127.0.0.1"]
  allow_private: ["127.0.0.1"]
  channels:
    pager: { url: ${JSON.stringify(pager)} }
  tiers:
    warning: { after: 15, respond_within: 60, business_hours: false }
    critical: { failed_above: 0, respond_within: 30 }
    engineering_lead: { after: 86400, failed_above: 1000 }
`;

/** The configuration of the demo. */
export function shopConfig(places: Places): Config {
  const { config, problems } = parseConfig(textOf(places), { file: 'the demo' });
  if (config === undefined) throw new Error(`The demo is broken: ${JSON.stringify(problems)}`);
  return config;
}
