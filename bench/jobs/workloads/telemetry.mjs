import { redriveSqlite, withTelemetry } from '../lane-specs.mjs';
import { compareRates, measureRates, rateFigures } from '../measure/rates.mjs';

const lanes = [redriveSqlite, withTelemetry(redriveSqlite)];

export const title = 'SQLite: process with telemetry on';
export const about = `The same backlog with and without \`@redrive/telemetry\`: it counts every record and
notice, asks the store, and is scraped once a second. Traces are off.`;

export async function measure({ services, effort, quick }) {
  const params = { concurrency: 16 };
  const { sizes } = effort;
  const rates = await measureRates({ services, drive: 'process', lanes, params, sizes, quick });
  return {
    figures: rateFigures(rates),
    results: compareRates(rates, 'redrive-sqlite-telemetry', 'redrive-sqlite', {
      ratioAtLeast: 0.97,
    }),
  };
}
