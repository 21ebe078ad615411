import { type ConfiguredPolicy, explain } from '@redrive/config';
import { plotDocument } from '@redrive/config/documents';
import type { RunCommand } from '../command/command-spec.ts';
import { loadConfig } from '../config/load-config.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { findPolicy, jitterText } from './find-policy.ts';
import { drawPlot } from './plot/draw-plot.ts';
import type { PlottedPolicy } from './plot/panel.ts';
import { scaleFor } from './plot/scale.ts';

export const runPlot: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const config = await loadConfig(invocation);
  const policies = args.map((name) => findPolicy(config, name).policy);
  const explained = policies.map((policy) => explain(policy));
  const asked = options.scale === 'linear' || options.scale === 'log' ? options.scale : 'auto';
  const scale = scaleFor(
    explained.flatMap(({ delays_ms }) => delays_ms),
    asked,
  );
  if (options.json) printJson(io, plotDocument(scale.kind, policies));
  else {
    const ascii = options.ascii === true || !io.screen.unicode;
    const plotted = policies.map((policy) => plottedPolicy(policy, ascii));
    printLines(io, drawPlot(io.screen, plotted, scale, ascii));
  }
};

function plottedPolicy(configured: ConfiguredPolicy, ascii: boolean): PlottedPolicy {
  const { policy } = configured;
  const { id, delays_ms, total_nominal_ms } = explain(configured);
  return {
    id: printable(id),
    maxAttempts: policy.enabled ? policy.maxAttempts : 1,
    totalNominalMs: total_nominal_ms,
    jitter: policy.jitter === 'none' ? '' : jitterText(policy, !ascii),
    waits: delays_ms,
  };
}
