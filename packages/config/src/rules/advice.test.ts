import { expect, test } from 'vitest';
import { parseConfig } from '../parse-config.ts';

const adviceOf = (text: string) =>
  parseConfig(`version: "1.1.0"\n${text}`).problems.map(({ message, suggestion }) => [
    message,
    suggestion,
  ]);

test('the advice about a handler is about its own problem', () => {
  const problems = adviceOf(`
jobs:
  http: { targets: [shop.example], allow_private: ["10.0.0.0/33"] }
  handlers:
    both: { command: [a], module: ./a.mjs, idempotent: true }
    empty: { command: [], idempotent: true }
    plain: { http: { url: "http://other.example/x" }, idempotent: true }
    other: { http: { url: "https://other.example/x" }, idempotent: true }
    secret: { http: { url: "https://shop.example/x", headers: { Authorization: x } }, idempotent: true }
`);
  expect(problems).toEqual([
    ['10.0.0.0/33 is neither an address nor a range', 'write 10.1.0.0/16, or one address'],
    ['both has both a command and a module', 'keep one of them'],
    ['empty has an empty command', 'write command: ["./program", "argument"]'],
    [
      'plain would be asked without TLS',
      'write https:, or add other.example to jobs.http.allow_http',
    ],
    ['plain asks other.example, which is not in jobs.http.targets', 'add it to jobs.http.targets'],
    ['other asks other.example, which is not in jobs.http.targets', 'add it to jobs.http.targets'],
    [
      'secret has Authorization in headers, where everybody who reads the file sees it',
      'name an environment variable in headers_env',
    ],
  ]);
});

test('the advice about a bus and a source is about its own problem', () => {
  const problems = adviceOf(`
buses: { main: { url: "kafka://x" }, nats: { url: "nats://x" } }
jobs: { handlers: { mail: { command: [a], idempotent: true } } }
events:
  sources:
    s: { bus: mian, handler: mial }
    t: { bus: nats, handler: mail }
`);
  expect(problems).toEqual([
    [
      'main has an address that no adapter knows',
      'write store:, nats://host:4222 or amqp://host:5672',
    ],
    ['s names the bus mian, which is not under buses', 'did you mean main?'],
    ['s names the handler mial, which is not under jobs.handlers', 'did you mean mail?'],
    ['t has no stream', 'add stream: with its name at the broker'],
  ]);
});

test('a wrong cron expression and a wrong time zone are two problems, in words of the file', () => {
  const problems = adviceOf(`
jobs: { handlers: { report: { command: [a], idempotent: true } } }
schedules:
  nightly: { handler: report, cron: "61 2 * * *", time_zone: Europe/Berln }
`);
  expect(problems).toEqual([
    [
      'The cron expression of nightly is wrong: Invalid value for minute: 61',
      'write minute, hour, day, month, weekday: "30 2 * * *" is 02:30 every day',
    ],
    ['The time zone Europe/Berln of nightly does not exist', 'write a name such as Europe/Berlin'],
  ]);
});
