import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { lookUp, parseDocument } from '@redrive/config';
import { nearest } from '@redrive/core/fields';
import { readScene, type Scene, type SceneSummary, SHIPPED_SCENES } from '@redrive/lab';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import { loadConfig } from '../config/load-config.ts';
import { printProblems } from '../config/problem-lines.ts';
import { readConfigFile } from '../config/read-file.ts';
import { runSeeds } from '../lab/run-seeds.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { progress } from '../terminal/progress.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
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

const CORRECT = 'docs/explanation/lab.md describes the fields of a scene.';

/**
 * A scene by its name or from a file. Policies that it names are those of the configuration, which is read only then.
 *
 * @throws CliError after all problems were printed.
 */
export async function loadScene(invocation: Invocation, name: string): Promise<Scene> {
  const { io } = invocation;
  const value = sceneValue(invocation, name);
  const config = namesPolicies(value) ? await loadConfig(invocation) : undefined;
  const { scene, problems } = readScene(
    value,
    (policy) => config && lookUp(config, policy).policy?.policy,
  );
  if (scene !== undefined) return scene;
  for (const { path, message } of problems) io.stderr(`${printable(`${path}: ${message}`)}\n`);
  throw new CliError(
    'failed',
    `The scene ${name} is not valid, so nothing was simulated.`,
    CORRECT,
  );
}

function sceneValue({ io }: Invocation, name: string): unknown {
  const shipped: Readonly<Record<string, unknown>> = SHIPPED_SCENES;
  if (Object.hasOwn(shipped, name)) return shipped[name];
  if (!existsSync(resolve(io.directory, name))) {
    const names = Object.keys(shipped);
    const close = nearest(name, names);
    throw new CliError(
      'no_match',
      `There is no file and no scene with the name ${name}.`,
      close === undefined ? `The scenes are ${names.join(', ')}.` : `Did you mean "${close}"?`,
    );
  }
  const text = readConfigFile(io, name);
  const { value, problems } = parseDocument(text);
  if (problems.length === 0) return value;
  printProblems(io, { problems, text, file: name });
  throw new CliError('failed', `The scene ${name} cannot be read.`, CORRECT);
}

function namesPolicies(value: unknown): boolean {
  const layers: unknown = Object(Object(value).callers).layers;
  return Array.isArray(layers) && layers.some((layer) => typeof layer === 'string');
}
