import { expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { escalationSettings } from './escalation-settings.ts';

const parse = (text: string) => parseConfig(`version: "1.1.0"\n${text}`);

it('the four tiers are data, and can be changed in the file', () => {
  const { config, problems } = parse(`
escalation:
  channels:
    pager: { url: "https://hooks.example/a", authorization_env: PAGER_TOKEN }
    mail: { command: [mail, ops], timeout: 5 }
  time_zone: Europe/Berlin
  opens: "08:30"
  holidays: ["2026-12-25"]
  tiers:
    warning: { stuck_above: 10, notify: [mail] }
    engineering_lead: { owner: Ada }
`);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (config === undefined) throw new Error('not valid');
  const { channels, hours, tiers, resolveAfterMs } = escalationSettings(config);
  expect(channels).toEqual({
    pager: { url: 'https://hooks.example/a', authorizationEnv: 'PAGER_TOKEN', timeoutMs: 10_000 },
    mail: { command: ['mail', 'ops'], timeoutMs: 5_000 },
  });
  expect(hours).toEqual({
    timeZone: 'Europe/Berlin',
    ...{ opensMinute: 510, closesMinute: 1_020, days: [1, 2, 3, 4, 5], holidays: ['2026-12-25'] },
  });
  expect(resolveAfterMs).toBe(900_000);
  expect(tiers).toMatchObject([
    { tier: 2, name: 'warning', afterMs: 86_400_000, stuckAbove: 10, notify: ['mail'] },
    { tier: 3, name: 'critical', failedAbove: 0, respondWithinMs: 3_600_000 },
    { tier: 4, name: 'engineering_lead', failedAbove: 1_000, owner: 'Ada' },
  ]);
});

it('is refused with every problem at once', () => {
  const { problems } = parse(`
escalation:
  channels:
    none: {}
    both: { url: "https://a.example/", command: [a] }
    plain: { url: "http://a.example/" }
    login: { url: "https://eve:pw@a.example/" }
  allow_private: ["10.0.0.0/99", "10.0.0.0/8/9", "example.com"]
  time_zone: Mars/Base
  opens: "17:00"
  closes: "09:00"
  days: [monday]
  holidays: [christmas]
  tiers: { critical: { notify: [nobody] } }
`);
  const errors = problems.filter(({ code }) => code === 'invalid_escalation');
  expect(errors.map(({ message }) => message).sort()).toEqual(
    [
      'none needs either a url or a command',
      'both needs either a url or a command',
      'plain would be asked without TLS',
      'login has a user or password in its url',
      'critical names the channel nobody, which does not exist',
      '10.0.0.0/99 is neither an address nor a range',
      '10.0.0.0/8/9 is neither an address nor a range',
      'example.com is neither an address nor a range',
      'Mars/Base is not a time zone',
      'opens and closes must be times such as 09:00, in this order',
      'monday is not one of sun, mon, tue, wed, thu, fri, sat',
      'christmas is not a day such as 2026-12-25',
    ].sort(),
  );
});
