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
      problems.push(problem('time_zone', `${name} has a time_zone, but no cron`));
    }
    const wrong = typeof cron === 'string' && cronProblem(cron, String(zone ?? 'UTC'));
    if (wrong) problems.push(problem('cron', `The cron expression of ${name} is wrong: ${wrong}`));
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
    return error instanceof Error ? error.message : String(error);
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
