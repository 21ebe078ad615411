import type { PoliciesListAnswer } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import '../styles/policies.css';
import { useSignal } from '@preact/signals';
import { client } from '../api.ts';
import {
  Button,
  Cols,
  type Column,
  CommandLine,
  Dialog,
  Link,
  List,
  Loaded,
  Page,
  Section,
  Select,
} from '../components/index.ts';
import { duration, plural } from '../format.ts';
import { navigate, param, setParams } from '../router.ts';
import { useQuery, useRead } from '../use-query.ts';
import { Figures } from './policies/figures.tsx';
import { FieldsTable, type Shown, UsedBy, Versions } from './policies/rail.tsx';
import { PolicyReview } from './policies/review.tsx';
import { shape } from './policies/shape.ts';
import { Try } from './policies/try.tsx';
import { compareHref, tryHref } from './policies/try-scene.ts';
import { type Explained, WaitsChart, WaitsLegend, WaitsTable, wait } from './policies/waits.tsx';

type Listed = PoliciesListAnswer['policies'][number];

export function Policies({ rest }: { readonly rest: readonly string[] }) {
  if (rest[0] === 'try') return <Try />;
  return rest[0] === 'compare' && param('a') ? <Compare /> : <AllPolicies />;
}

function AllPolicies() {
  const query = useRead(client.policies.list);
  const file = query.data?.file;
  return (
    <Page
      title="Policies"
      lede={
        file === null
          ? 'No configuration file is in force: these are the presets.'
          : 'A policy says how often and when an operation is tried again.'
      }
      acts={
        <>
          <Button href="/policies/try">Try</Button>
          <Edit file={file ?? null} where={undefined} />
        </>
      }
    >
      <PolicyReview />
      <Figures />
      <Loaded query={query} title="The policies did not load.">
        {({ policies }) => (
          <Section title="All policies">
            <List
              label="Policies"
              rows={policies}
              columns={COLUMNS}
              idOf={({ id }) => id}
              className="rows32"
            />
          </Section>
        )}
      </Loaded>
    </Page>
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  ['Policy', ({ id }) => <Link href={compareHref(id)}>{id}</Link>],
  ['Attempts', ({ enabled, max_attempts }) => (enabled ? max_attempts : 'disabled'), 'n'],
  ['Back-off', ({ backoff_type }) => backoff_type],
  ['First wait', ({ base_delay_ms }) => wait(base_delay_ms), 'n hide-phone'],
  ['Longest wait', ({ max_delay_ms }) => wait(max_delay_ms), 'n'],
  ['Jitter', ({ jitter_type }) => jitter_type, 'soft hide-phone'],
  ['From', ({ id, preset }) => (preset === id ? 'preset' : 'file'), 'soft hide-phone'],
  [
    'Extends',
    ({ id, preset }) =>
      preset !== null && preset !== id && <Link href={compareHref(id, preset)}>{preset}</Link>,
    'hide-phone',
  ],
];

/** Policies are changed in the file and nowhere else. */
function Edit({
  file,
  where,
}: {
  readonly file: string | null;
  readonly where: string | undefined;
}) {
  const [, line] = /:(\d+)$/.exec(where ?? '') ?? [];
  const place = file ?? 'redrive.yaml';
  return (
    <Button whyNot={`Policies are set in ${place}${line ? `, line ${line}` : ''}`}>Edit</Button>
  );
}

function Compare() {
  const names = [param('a'), param('b')].filter((name) => name !== undefined);
  const [a, b] = names;
  const query = useQuery(`compare ${names.join(' ')}`, async (signal) => {
    const each = <T,>(load: (policy: string) => Promise<T>) => Promise.all(names.map(load));
    const [explained, shown, diff] = await Promise.all([
      each((policy) => client.policies.explain({ policy }, { signal })),
      each((policy) => client.policies.show({ policy }, { signal })),
      a && b ? client.policies.diff({ a, b }, { signal }) : undefined,
    ]);
    return { explained, shown, differing: (diff?.fields ?? []).map(({ field }) => field) };
  });
  const file = useRead(client.policies.list).data?.file ?? null;
  const [first, second] = query.data?.explained ?? [];
  const where = Object.values(first?.sources ?? {}).find(({ kind }) => kind === 'file')?.where;
  const title = (
    <>
      {names[0]} {names[1] && <span class="soft">and</span>} {names[1]}
    </>
  );
  return (
    <Page
      title={title}
      name={names.join(' and ') || 'Compare policies'}
      crumb={
        <>
          <Link href="/policies">Policies</Link> / compare
        </>
      }
      lede={first && <Lede first={first} second={second} />}
      acts={
        <>
          <Button href={tryHref(names[0] ?? '', names[1])}>Try</Button>
          <Button onClick={() => setParams({ act: 'choose' })}>Change policies…</Button>
          <Edit file={file} where={where} />
        </>
      }
    >
      <Loaded query={query} title="The policies did not load.">
        {({ explained, shown, differing }) => (
          <Cols
            rail={
              <>
                <FieldsTable sides={shown} differing={differing} />
                <UsedBy ids={explained.map(({ id }) => id)} />
                {explained[0] && <Versions id={explained[0].id} />}
                <CommandLine
                  text={commandText`redrive policy ${names.length > 1 ? 'diff' : 'explain'} ${names}`}
                />
              </>
            }
          >
            <section>
              <div class={`phead sides-${explained.length}`}>
                {explained.map((side, at) => (
                  <Section
                    key={side.id}
                    title={side.id}
                    note={shown[at]?.preset === side.id ? `preset ${side.id}` : (file ?? '')}
                  >
                    <p class="soft">{shape(valuesOf(shown[at]))}</p>
                  </Section>
                ))}
              </div>
              <figure class="scroll">
                <WaitsChart sides={explained} />
              </figure>
              <WaitsLegend />
            </section>
            <WaitsTable sides={explained} />
          </Cols>
        )}
      </Loaded>
      {param('act') === 'choose' && <Choose a={names[0] ?? ''} b={names[1] ?? ''} />}
    </Page>
  );
}

const valuesOf = (shown: Shown | undefined) =>
  Object.fromEntries((shown?.values ?? []).map(({ field, value }) => [field, value]));

interface LedeProps {
  readonly first: Explained;
  readonly second: Explained | undefined;
}

function Lede({ first, second }: LedeProps) {
  const ends = ({ total_min_ms, total_max_ms, total_nominal_ms }: Explained) =>
    total_nominal_ms === 0
      ? 'without waiting'
      : total_min_ms === total_max_ms
        ? `after ${duration(total_nominal_ms)}`
        : `after about ${duration((total_min_ms + total_max_ms) / 2)} of waiting`;
  if (second === undefined) return <>{first.gives_up}</>;
  const same = first.max_attempts === second.max_attempts;
  return (
    <>
      {same
        ? `Both allow ${plural(first.max_attempts, 'attempt')}. `
        : `${plural(first.max_attempts, 'attempt')} against ${second.max_attempts}. `}
      <b>{first.id}</b> gives up {ends(first)}, <b>{second.id}</b> {ends(second)}.
    </>
  );
}

function Choose({ a, b }: { readonly a: string; readonly b: string }) {
  const left = useSignal(a);
  const right = useSignal(b);
  const ids = (useRead(client.policies.list).data?.policies ?? []).map(
    ({ id }) => [id, id] as const,
  );
  const show = () => navigate(compareHref(left.value, right.value));
  return (
    <Dialog
      title="Compare policies"
      onClose={() => setParams({ act: undefined })}
      onSubmit={show}
      footer={
        <Button type="submit" primary>
          Compare
        </Button>
      }
    >
      <Select label="Policy" value={left} options={ids} />
      <Select label="Compared with" value={right} options={[['', 'nothing'], ...ids]} />
    </Dialog>
  );
}
