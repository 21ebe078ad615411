import type { PoliciesShowAnswer } from '@redrive/client';
import { auditRecords, client } from '../../api.ts';
import { type Column, Facts, List, Section, Time, Two, textOf } from '../../components/index.ts';
import { duration, num, percent } from '../../format.ts';
import { useRead } from '../../use-query.ts';

export type Shown = PoliciesShowAnswer;
type Value = Shown['values'][number];

/** A value as people read it. */
function valueText({ value, unit }: Value): string {
  if (value === null) return 'no limit';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (value === '') return 'none';
  if (typeof value === 'number' && unit === 'seconds') return duration(value * 1_000);
  return textOf(value);
}

const NAMING = ['id', 'name', 'description'];

/** The fields that differ, each with its source; of one policy, all fields. */
export function FieldsTable({ sides, differing }: FieldsProps) {
  const [first, second] = sides;
  if (first === undefined) return null;
  const shown = first.values.filter(({ field }) =>
    second === undefined ? !NAMING.includes(field) : differing.includes(field),
  );
  const equal = first.values.length - NAMING.length - shown.length;
  const many = `${num(shown.length)} ${shown.length === 1 ? 'field differs' : 'fields differ'}`;
  const title = second === undefined ? 'Fields' : shown.length === 0 ? 'Both do the same' : many;
  const other = (field: string) => second?.values.find((one) => one.field === field);
  const where = (value: Value) =>
    [value, other(value.field)].flatMap((one) => one?.where ?? []).join(', ');
  const text = (value: Value) => valueText(other(value.field) ?? { ...value, value: '' });
  const columns: readonly Column<Value>[] = [
    ['Field', (value) => <Two top={<code>{value.field}</code>} sub={where(value)} />, 'wrap'],
    [first.id, valueText, 'n strong wrap'],
    ...(second === undefined ? [] : [[second.id, text, 'n soft wrap'] as const]),
  ];
  return (
    <Section title={title} note={second && `${equal} are equal`}>
      <List label="Fields" rows={shown} columns={columns} idOf={({ field }) => field} />
    </Section>
  );
}

export interface FieldsProps {
  readonly sides: readonly Shown[];
  readonly differing: readonly string[];
}

/** Handlers, mappings and collections that name the policy, and the last day of it. */
export function UsedBy({ ids }: { readonly ids: readonly string[] }) {
  const config = useRead(client.config.show, { effective: true });
  const metrics = useRead(client.metrics.show);
  const users = (id: string) =>
    (config.data?.values ?? [])
      .filter(({ path, value }) => value === id && /^subsystem_mappings\.|\.policy$/.test(path))
      .map(({ path }) =>
        path
          .replace(/^subsystem_mappings\./, 'path ')
          .replace(/^jobs\.handlers\.(.*)\.policy$/, 'handler $1')
          .replace(/^sweeps\.collections\.(.*)\.policy$/, 'collection $1'),
      );
  return (
    <Section title="Used by">
      <Facts
        of={ids.map((id) => {
          const share = metrics.data?.by_policy[id];
          return [
            id,
            <>
              {users(id).join(', ') || 'nothing names it'}
              {share && share.success_rate !== null && share.average_attempts !== null && (
                <span class="l2">
                  {num(share.sessions)} sessions in 24 h, {percent(share.success_rate)} succeeded,{' '}
                  {num(share.average_attempts)} attempts on average
                </span>
              )}
            </>,
          ] as const;
        })}
      />
    </Section>
  );
}

interface Change {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** Changes of the policy in the audit log, the newest first. */
export function Versions({ id }: { readonly id: string }) {
  const changes = useRead(auditRecords, { event: 'config', limit: 200 });
  const found = (changes.data?.records ?? []).flatMap(({ time, record, detail }) => {
    // As the worker's notes have it.
    const { diff, hash_after } = detail as {
      readonly diff?: { readonly entries?: readonly Change[] };
      readonly hash_after?: string;
    };
    const own = (diff?.entries ?? []).filter(({ path }) =>
      `${path}.`.startsWith(`policies.${id}.`),
    );
    return own.length === 0 ? [] : [{ time, record, own, hash: hash_after ?? '' }];
  });
  return (
    <Section title={`Versions of ${id}`}>
      {found.length === 0 && <p class="soft">No change since the audit log begins.</p>}
      <ul class="versions">
        {found.slice(0, 10).map(({ time, record, own, hash }) => (
          <li key={record}>
            <span class="muted">
              <Time at={time} kind="since" />
            </span>
            <span>
              {own.map(({ path, before = 'none', after = 'removed' }) => (
                <span key={path} class="change">
                  {path.slice(`policies.${id}.`.length) || 'policy'} {before} → {after}
                </span>
              ))}
            </span>
            <a class="mono muted" href={`/audit?open=${record}`}>
              {hash.slice(0, 8)}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
