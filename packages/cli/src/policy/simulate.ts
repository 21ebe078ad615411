import type { SceneSummary } from '@redrive/lab';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import { runSeeds } from '../lab/run-seeds.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { progress } from '../terminal/progress.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { loadScene } from './load-scene.ts';
import { summaryLines } from './summary-lines.ts';

const DEFAULT_SEEDS = 20;

export const runSimulate: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const seeds = integerOption(options, 'seeds', { min: 1, max: 1_000 }) ?? DEFAULT_SEEDS;
  const scene = await loadScene(invocation, args[0] ?? '');
  const shown = progress(io, 'attempts');
  const onProgress = (attempts: number, share: number) => shown.update(attempts, share);
  const { summary, isStopped } = await untilStopped(io, async (stopped) => ({
    summary: await runSeeds(io, scene, seeds, { stopped, onProgress }),
    isStopped: stopped.aborted,
  }));
  shown.end();
  if (options.json) printJson(io, { scene: scene.name, ...summaryJson(summary) });
  else printLines(io, summaryLines(io.screen, scene, summary));
  if (isStopped) {
    note(io, `Stopped: the results are of ${summary.seeds} of ${seeds} seeds.`);
    return EXIT.interrupted;
  }
  return summary.cut > 0 ? EXIT.partial : EXIT.ok;
};

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
