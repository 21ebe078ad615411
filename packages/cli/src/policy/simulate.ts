import { systemClock } from '@redrive/core';
import { type Scene, type SceneSummary, SummaryOfRuns, startSimulation } from '@redrive/lab';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { type Io, note, printJson, printLines } from '../terminal/io.ts';
import { progress } from '../terminal/progress.ts';
import { pause, untilStopped } from '../terminal/signals.ts';
import { loadScene } from './load-scene.ts';
import { summaryLines } from './summary-lines.ts';

const DEFAULT_SEEDS = 20;
/** Between two of them the process can take a signal. */
const EVENTS_PER_TURN = 100_000;

export const runSimulate: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const seeds = integerOption(options, 'seeds', { min: 1, max: 1_000 }) ?? DEFAULT_SEEDS;
  const scene = await loadScene(invocation, args[0] ?? '');
  const { summary, isStopped } = await untilStopped(io, (stopped) =>
    runSeeds(io, scene, seeds, stopped),
  );
  if (options.json) printJson(io, { scene: scene.name, ...summaryJson(summary) });
  else printLines(io, summaryLines(io.screen, scene, summary));
  if (isStopped) {
    note(io, `Stopped: the results are of ${summary.seeds} of ${seeds} seeds.`);
    return EXIT.interrupted;
  }
  return summary.cut > 0 ? EXIT.partial : EXIT.ok;
};

async function runSeeds(io: Io, scene: Scene, seeds: number, stopped: AbortSignal) {
  const clock = io.clock ?? systemClock;
  const shown = progress(io, 'attempts');
  const runs = new SummaryOfRuns();
  let attempts = 0;
  for (let seed = 1; seed <= seeds && !stopped.aborted; seed += 1) {
    const simulation = startSimulation(scene, seed);
    while (!stopped.aborted && simulation.step(EVENTS_PER_TURN)) {
      shown.update(attempts + simulation.attempts, (seed - 1 + simulation.progress) / seeds);
      await pause(clock, 0, stopped);
    }
    // A run that was stopped in the middle would distort the median; the first one is better than nothing.
    if (!stopped.aborted || seed === 1) runs.add(simulation.result());
    attempts += simulation.attempts;
    await pause(clock, 0, stopped);
  }
  shown.end();
  return { summary: runs.get(), isStopped: stopped.aborted };
}

function summaryJson({ series: { stepMs, ...series }, figures, ...summary }: SceneSummary) {
  const named = Object.entries(figures).map(([name, figure]) => [snake(name), figure]);
  const points = Object.entries(series).map(([name, values]) => [name, values.map(rounded)]);
  return {
    ...summary,
    figures: Object.fromEntries(named),
    series: { step_ms: stepMs, ...Object.fromEntries(points) },
  };
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const rounded = (value: number) => Math.round(value * 100) / 100;
