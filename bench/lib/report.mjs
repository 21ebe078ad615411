import { judge } from './goals.mjs';

/** Markdown for a whole run: machine facts, one section per workload, and how many goals were met. */
export function renderReport({ title, facts, sections, notes }) {
  const parts = sections.map((section) => renderSection(section, notes));
  return [`# ${title}`, facts, ...parts, renderVerdict(sections)].join('\n\n').concat('\n');
}

export function renderFacts({ machine, versions, mode }) {
  const contenders = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `- ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}`,
    `- Node ${machine.node} (V8 ${machine.v8}); load before the run ${machine.loadBefore}`,
    `- ${contenders.join(', ')}`,
    `- ${mode}`,
  ].join('\n');
}

export function renderVerdict(sections) {
  const verdicts = sections.flatMap(({ results }) => results.map((result) => judge(result).met));
  const met = verdicts.filter((verdict) => verdict === true).length;
  const missed = verdicts.filter((verdict) => verdict === false).length;
  return `Goals: ${met} met, ${missed} missed.`;
}

/**
 * One workload. `against` heads the column of ratios; `figures`, a header and rows of cells, is a table of what was
 * measured beside the results.
 */
export function renderSection(section, notes) {
  const { name, title, about, results, figures, against = '× hand-written' } = section;
  const hasRatio = results.some((result) => result.ratio !== undefined);
  const header = hasRatio
    ? ['', 'measure', against, 'quartiles', 'absolute', 'yardstick', 'goal', 'met']
    : ['', 'measure', 'value', 'goal', 'met'];
  const rows = results.map((result) => (hasRatio ? ratioCells(result) : valueCells(result)));
  const parts = [`## ${title}`, about.replaceAll(/\s*\n\s*/g, ' ')];
  if (figures) parts.push(renderTable(figures.header, figures.rows));
  if (results.length > 0) parts.push(renderTable(header, rows));
  const misses = results.flatMap((result) => missLine(name, result, notes));
  if (misses.length > 0) parts.push(misses.join('\n'));
  return parts.join('\n\n');
}

const ratioCells = (result) => [
  result.label,
  result.measure,
  result.ratio === undefined ? '' : times(result.ratio),
  result.low === undefined ? '' : `${times(result.low)} to ${times(result.high)}`,
  amount(result.value, result.unit),
  result.baseline === undefined ? '' : amount(result.baseline, result.unit),
  goalText(result),
  verdict(result),
];

const valueCells = (result) => [
  result.label,
  result.measure,
  amount(result.value, result.unit),
  goalText(result),
  verdict(result),
];

function goalText({ goal, unit }) {
  if (!goal) return '';
  if (goal.ratioAtMost !== undefined) return `≤ ${times(goal.ratioAtMost)}`;
  if (goal.ratioAtLeast !== undefined) return `≥ ${times(goal.ratioAtLeast)}`;
  if (goal.valueAtMost !== undefined) return `≤ ${amount(goal.valueAtMost, unit)}`;
  return `≥ ${amount(goal.valueAtLeast, unit)}`;
}

function verdict(result) {
  const { met, missedBy } = judge(result);
  if (met === null) return '';
  if (met) return 'yes';
  return Number.isFinite(missedBy) ? `no, by ${Math.ceil(missedBy * 100)} %` : 'no';
}

function missLine(workload, result, notes) {
  if (judge(result).met !== false) return [];
  const reason = noteOn(`${workload}/${result.id}`, notes) ?? 'no reason noted yet';
  return [`- ${result.label}, ${result.measure}: missed. ${reason}`];
}

/** The note on a result, or on its workload and contenders whatever their number of jobs. */
function noteOn(id, notes) {
  return notes[id] ?? notes[id.slice(0, id.lastIndexOf('/'))];
}

const times = (ratio) => `${ratio.toFixed(ratio < 10 ? 2 : 0)}x`;

const withDecimals = new Set(['ms', '%', 'MiB', 'x', 'statements/s']);

/** A number with its unit, as precise as it is meant. */
export function amount(value, unit) {
  const digits = withDecimals.has(unit) && value < 100 ? 2 : 0;
  const text = value.toLocaleString('en-US', { maximumFractionDigits: digits });
  return unit ? `${text} ${unit}` : text;
}

/** Padded so that it reads as a table in a terminal too. */
function renderTable(header, rows) {
  const widths = header.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(header), rule, ...rows.map(line)].join('\n');
}
