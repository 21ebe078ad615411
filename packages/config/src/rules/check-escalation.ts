import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { DAYS, minuteOf } from '../settings/escalation-settings.ts';
import { isTimeZone } from './check-schedules.ts';
import { isRange, type TargetProblem, textsOf, urlProblem } from './web-target.ts';

/** Channels have an address or a program, tiers name channels of this file, and the calendar can be read. */
export function checkEscalation(content: FileContent): Problem[] {
  const escalation = record(content.sections.escalation);
  const wrong = (path: readonly string[], message: string, advice?: string): Problem =>
    finding('invalid_escalation', content.placeOf(['escalation', ...path]), message, advice);
  const channels = record(escalation.channels);
  const httpHosts = textsOf(escalation.allow_http);
  const ofChannels = Object.entries(channels).flatMap(([name, given]) => {
    const problem = channelProblem(record(given), httpHosts);
    if (problem === undefined) return [];
    return [wrong(['channels', name], `${name} ${problem.why}`, problem.advice)];
  });
  const ofTiers = Object.entries(record(escalation.tiers)).flatMap(([name, given]) =>
    textsOf(record(given).notify)
      .filter((channel) => !Object.hasOwn(channels, channel))
      .map((channel) =>
        wrong(
          ['tiers', name, 'notify'],
          `${name} names the channel ${channel}, which does not exist`,
        ),
      ),
  );
  const ranges = textsOf(escalation.allow_private)
    .filter((range) => !isRange(range))
    .map((range) => wrong(['allow_private'], `${range} is neither an address nor a range`));
  return [...ofChannels, ...ofTiers, ...ranges, ...calendarProblems(escalation, wrong)];
}

function channelProblem(
  { url, command }: Readonly<Record<string, unknown>>,
  httpHosts: readonly string[],
): TargetProblem | undefined {
  if ((url === undefined) === (command === undefined))
    return { why: 'needs either a url or a command', advice: 'write one of them' };
  if (Array.isArray(command) && command.length === 0)
    return { why: 'has an empty command', advice: 'write command: ["./program", "argument"]' };
  if (typeof url !== 'string') return undefined;
  const problem = urlProblem(url, httpHosts, 'escalation.allow_http');
  return problem?.why.endsWith('in its url')
    ? { ...problem, advice: 'use authorization_env' }
    : problem;
}

function calendarProblems(
  { time_zone: zone, opens, closes, days, holidays }: Readonly<Record<string, unknown>>,
  wrong: (path: readonly string[], message: string) => Problem,
): Problem[] {
  const problems: Problem[] = [];
  if (typeof zone === 'string' && !isTimeZone(zone))
    problems.push(wrong(['time_zone'], `${zone} is not a time zone`));
  const isInOrder = minuteOf(String(opens)) < minuteOf(String(closes));
  if (!isInOrder)
    problems.push(wrong(['opens'], 'opens and closes must be times such as 09:00, in this order'));
  for (const day of textsOf(days)) {
    if (!DAYS.includes(day))
      problems.push(wrong(['days'], `${day} is not one of ${DAYS.join(', ')}`));
  }
  if (textsOf(days).length === 0) problems.push(wrong(['days'], 'days has no working day'));
  for (const day of textsOf(holidays)) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
      problems.push(wrong(['holidays'], `${day} is not a day such as 2026-12-25`));
  }
  return problems;
}
