import { wait } from './waits.tsx';

/** `Exponential × 2 from 1 min, cap 15 min, jitter full` */
export function shape(fields: Readonly<Record<string, unknown>>): string {
  const [backoff, jitter] = [fields.backoff_type, fields.jitter_type].map(String);
  const seconds = (name: string) => wait(Number(fields[name] ?? 0) * 1_000);
  const kind = `${backoff?.[0]?.toUpperCase()}${backoff?.slice(1)}`;
  const factor = backoff === 'exponential' ? ` × ${fields.backoff_multiplier}` : '';
  const isPlain = fields.jitter_amount === 1 || jitter === 'decorrelated';
  const spread = `jitter ${jitter}${isPlain ? '' : ` ${fields.jitter_amount}`}`;
  const from = backoff === 'schedule' ? '' : ` from ${seconds('base_delay')}`;
  return `${kind}${factor}${from}, cap ${seconds('max_delay')}, ${jitter === 'none' ? 'no jitter' : spread}`;
}
