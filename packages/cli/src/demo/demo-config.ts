import { type Config, parseConfig } from '@redrive/config';

/** What the demo would have in its `redrive.yaml`: short waits, so that there is something to see. */
const TEXT = `version: "1.1.0"
policies:
  demo.mail:
    name: Mails
    max_attempts: 5
    backoff_type: exponential
    base_delay: 0.5
    max_delay: 4
    jitter_type: full
    jitter_amount: 1
  demo.payment:
    name: Payments
    extends: demo.mail
    max_attempts: 8
    enable_circuit_breaker: true
    circuit_breaker_threshold: 3
    circuit_breaker_timeout: 1.5
  demo.report:
    name: Reports
    extends: demo.mail
    max_attempts: 3
breakers:
  bank: { probe_timeout: 1 }
jobs:
  lease_seconds: 10
  concurrency: 8
  retention: { succeeded: 600, cancelled: 600, dead: 3600, purged: 600 }
  handlers:
    mail: { policy: demo.mail, idempotent: true }
    payment: { policy: demo.payment, dependency: bank, concurrency: 3, idempotent: true }
    search: { policy: demo.mail, dependency: search-api, idempotent: true }
    report: { policy: demo.report, idempotent: true }
    import: { policy: demo.report, idempotent: true }
`;

/** The configuration of the demo. */
export function demoConfig(): Config {
  const { config, problems } = parseConfig(TEXT, { file: 'the demo' });
  if (config === undefined) throw new Error(`The demo is broken: ${JSON.stringify(problems)}`);
  return config;
}
