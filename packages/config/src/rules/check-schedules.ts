import { nearest } from '@redrive/core/fields';
import { Cron } from 'croner';
import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { finding, type Problem } from '../problem/problem.ts';

/** A schedule has `every` or `cron`, an expression that ticks, a payload that is JSON, and a handler of this file. */
export function checkSchedules(content: FileContent): Problem[] {
  const handlers = Object.keys(record(record(content.sections.jobs).handlers));
  return Object.entries(record(content.sections.schedules)).flatMap(([name, given]) => {
    const { handler, every, cron, time_zone: zone, payload } = record(given);
    const problem = (key: string, message: string, advice?: string) =>
      finding('invalid_schedule', content.placeOf(['schedules', name, key]), message, advice);
    const problems: Problem[] = [];
    if (typeof handler === 'string' && !handlers.includes(handler)) {
      const close = nearest(handler, handlers);
      const advice =
        close === undefined ? 'declare it under jobs.handlers' : `did you mean ${close}?`;
      problems.push(
        problem('handler', `${name} names the handler ${handler}, which does not exist`, advice),
      );
    }
    if (every !== undefined && cron !== undefined) {
      problems.push(problem('cron', `${name} has both every and cron`, 'keep one of them'));
    } else if (every === undefined && cron === undefined) {
      problems.push(problem('handler', `${name} has neither every nor cron`, 'add every: 900'));
    }
    if (zone !== undefined && cron === undefined) {
      problems.push(
        problem(
          'time_zone',
          `${name} has a time_zone, but no cron`,
          'remove it: an interval has none',
        ),
      );
    }
    const isZone = zone === undefined || isTimeZone(String(zone));
    const wrong =
      typeof cron === 'string' && cronProblem(cron, isZone ? String(zone ?? 'UTC') : 'UTC');
    if (wrong) {
      const advice = 'write minute, hour, day, month, weekday: "30 2 * * *" is 02:30 every day';
      const message = `The cron expression of ${name} is wrong: ${wrong}`;
      problems.push(problem('cron', message, advice));
    }
    if (!isZone && cron !== undefined) {
      const message = `The time zone ${String(zone)} of ${name} does not exist`;
      problems.push(problem('time_zone', message, 'write a name such as Europe/Berlin'));
    }
    if (typeof payload === 'string' && !isJson(payload)) {
      const advice = `write payload: '${JSON.stringify(payload)}' for a text`;
      problems.push(problem('payload', `The payload of ${name} is not JSON`, advice));
    }
    return problems;
  });
}

function cronProblem(cron: string, timezone: string): string | undefined {
  try {
    const expression = new Cron(cron, { timezone, mode: '5-or-6-parts', paused: true });
    return expression.nextRun() === null ? 'it never ticks' : undefined;
  } catch (error) {
    // The library writes the name of its class before some of its messages.
    return (error instanceof Error ? error.message : String(error)).replace(/^Cron\w+: /, '');
  }
}

export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
