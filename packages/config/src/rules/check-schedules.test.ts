import { expect, test } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { schedulesSettings } from '../settings/schedules-settings.ts';

const HEAD = `version: "1.1.0"
jobs:
  handlers:
    report: { command: ["./report.sh"], idempotent: true }
schedules:
`;

const problemsOf = (schedules: string) =>
  parseConfig(HEAD + schedules).problems.map(({ code, line, message, suggestion }) => [
    code,
    line,
    message,
    suggestion,
  ]);

test('a file declares schedules, in the options of jobs.schedule', () => {
  const { config, problems } = parseConfig(`${HEAD}
  nightly: { handler: report, cron: "30 2 * * *", time_zone: Europe/Berlin, payload: '{"kind":"sales"}' }
  pulse: { handler: report, every: 900, overlap: queue, missed: none, queue: slow, priority: 5 }
`);
  expect(problems).toEqual([]);
  if (config === undefined) throw new Error('The file is not valid');
  expect(Object.fromEntries(schedulesSettings(config))).toEqual({
    nightly: {
      handler: 'report',
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      payload: { kind: 'sales' },
      overlap: 'skip',
      missed: 'last',
      queue: 'default',
      priority: 0,
    },
    pulse: {
      handler: 'report',
      everyMs: 900_000,
      overlap: 'queue',
      missed: 'none',
      queue: 'slow',
      priority: 5,
    },
  });
});

test('all problems of schedules at once, each with its line and a suggestion', () => {
  const problems = problemsOf(`
  typo: { handler: reprot, every: 60 }
  both: { handler: report, every: 60, cron: "* * * * *" }
  none: { handler: report }
  minute: { handler: report, cron: "61 * * * *" }
  zone: { handler: report, cron: "0 3 * * *", time_zone: Mars/Olympus }
  never: { handler: report, cron: "0 0 31 2 *" }
  useless: { handler: report, every: 60, time_zone: UTC }
  text: { handler: report, every: 60, payload: sales }
`);
  const [first] = problems;
  expect(first).toEqual([
    'invalid_schedule',
    7,
    'typo names the handler reprot, which does not exist',
    'did you mean report?',
  ]);
  expect(problems.map(([code, line]) => [code, line])).toEqual(
    [7, 8, 9, 10, 11, 12, 13, 14].map((line) => ['invalid_schedule', line]),
  );
});

test('an interval of a day draws a lint', () => {
  expect(problemsOf('\n  daily: { handler: report, every: 86400 }\n')).toMatchObject([
    ['daily_interval', 7, expect.stringContaining('midnight UTC'), expect.any(String)],
  ]);
});
