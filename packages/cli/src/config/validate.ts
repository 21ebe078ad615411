import { validation } from '@redrive/operate/run';
import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { formatDuration } from '../terminal/times.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { type CheckedConfig, checkConfig } from './load-config.ts';
import { asSubject, faultyInputs, problemLines } from './problem-lines.ts';
import { type Stall, simulateLoads, WATCHED_MS } from './simulate-loads.ts';

/** `redrive config validate`: the problems are the result, so they go to stdout. */
export const runValidate: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const checked = await checkConfig(invocation, args[0]);
  const { config } = checked;
  const valid = config !== undefined;
  const { stalls, isStopped } = await untilStopped(io, async (stopped) => ({
    stalls: options.simulate && valid ? await simulateLoads(io, config, stopped) : [],
    isStopped: stopped.aborted,
  }));
  if (options.json) printJson(io, { ...validation(checked), stalls });
  else {
    printLines(io, problemLines(io.screen, checked));
    printLines(io, [verdict(checked)]);
    for (const stall of stalls) printText(io, stallText(stall));
    if (options.simulate && valid && stalls.length === 0 && !isStopped)
      printText(io, 'No load is declared, so nothing was simulated.');
  }
  if (isStopped) {
    note(io, 'Stopped: loads after these were not simulated.');
    return EXIT.interrupted;
  }
  if (!valid) return EXIT.failed;
  return stalls.some(({ cut }) => cut) ? EXIT.partial : EXIT.ok;
};

function stallText({
  dependency,
  rule,
  demand,
  stable,
  recovers_after_ms: afterMs,
  cut,
}: Stall): string {
  const verdict = stable ? '' : ', not below 1';
  if (cut)
    return `load.${dependency}: ${rule} = ${demand}${verdict}; the load is too high to simulate a stall`;
  const recovery =
    afterMs === null
      ? `does not recover within ${WATCHED_MS / 1_000} s`
      : afterMs === 0
        ? 'recovers at once'
        : `recovers after ${formatDuration(afterMs)}`;
  return `load.${dependency}: ${rule} = ${demand}${verdict}; after a stall of 10 s it ${recovery}`;
}

function verdict({ file, config, problems }: CheckedConfig): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = [count(errors, 'error'), count(problems.length - errors, 'warning')].flat();
  const whole = file ?? 'No file found; the presets alone';
  const faulty = faultyInputs(problems, whole);
  const found = counts.length > 0 ? `, ${counts.join(' and ')}` : '';
  if (config !== undefined || faulty.length === 0) return `${whole}: valid${found}`;
  const rest = file === undefined || faulty.includes(file) ? '' : `; ${file} is valid`;
  return printable(`${asSubject(faulty)}: not valid${found}${rest}`);
}

function count(number: number, noun: string): string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
}
