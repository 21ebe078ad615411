import { useSignal } from '@preact/signals';
import { commandText } from '@redrive/core/fields';
import { useEffect } from 'preact/hooks';
import { client } from '../../api.ts';
import { clock } from '../../clock.ts';
import {
  Cols,
  CommandLine,
  ErrorNotice,
  Field,
  Link,
  Loaded,
  Page,
  Section,
  Select,
  Skeleton,
} from '../../components/index.ts';
import { plural } from '../../format.ts';
import { param, setParams } from '../../router.ts';
import { useQuery, useRead } from '../../use-query.ts';
import type { PolicyFields } from './lab-calls.ts';
import { askLab, useLast } from './lab-client.ts';
import type { Shown } from './rail.tsx';
import { shape } from './shape.ts';
import { Backtest, Herd } from './try-results.tsx';
import { fieldsOf, HERD_FIELDS, herdNumbers, herdScene, TRY_FIELDS } from './try-scene.ts';
import { WaitsChart, WaitsLegend } from './waits.tsx';

/** Keys of one value follow each other faster. */
const TYPING_MS = 200;

/** Policy A beside a changed B: their waits, a herd of clients, a back-test of the log. The URL has all of it. */
export function Try() {
  const ids = (useRead(client.policies.list).data?.policies ?? []).map(({ id }) => id);
  const a = param('a') ?? ids[0];
  const b = param('b') ?? a;
  const query = useQuery(a && `try ${a} ${b}`, (signal) =>
    Promise.all([a, b].map((policy = '') => client.policies.show({ policy }, { signal }))),
  );
  const crumb = [<Link href="/policies">Policies</Link>, ' / try'];
  return (
    <Page
      title={`Try ${a ?? 'policies'}`}
      crumb={crumb}
      lede="A is in force. Change B and compare. The lab computes in this browser and changes no policy."
    >
      <Loaded query={query} title="The policies did not load.">
        {([first, second]) =>
          first && second && <Sides key={`${a} ${b}`} a={first} b={second} ids={ids} />
        }
      </Loaded>
    </Page>
  );
}

interface SidesProps {
  readonly a: Shown;
  readonly b: Shown;
  readonly ids: readonly string[];
}

function Sides({ a, b, ids }: SidesProps) {
  const policies = [fieldsOf(a, false), fieldsOf(b, true)] as const;
  const changes = Object.keys(TRY_FIELDS).filter((name) => param(name) !== undefined);
  const { data, error, isOld } = useLast(useLab(policies));
  const rail = (
    <>
      <Section title="Policies" note="B as redrive.yaml writes it">
        <div class="try-fields">
          <UrlField label="A" name="a" was={a.id} choices={ids} />
          <UrlField label="B starts from" name="b" was={b.id} choices={ids} />
          {b.values
            .filter(({ field }) => field in TRY_FIELDS)
            .filter(({ field }) => field !== 'delays' || policies[1].backoff_type === 'schedule')
            .map(({ field, value, unit }) => (
              <UrlField
                key={field}
                label={unit === null ? field : `${field}, s`}
                name={field}
                was={String(value ?? '')}
                choices={TRY_FIELDS[field]}
              />
            ))}
        </div>
      </Section>
      <Section title="Clients and dependency">
        <div class="try-fields">
          {HERD_FIELDS.map(([name, label, fallback]) => (
            <UrlField key={name} name={name} label={label} was={fallback} />
          ))}
        </div>
      </Section>
      <CommandLine
        text={commandText`redrive policies backtest --since 7d ${[a.id, `new.yaml:${b.id}`]}`}
      />
    </>
  );
  return (
    <Cols rail={rail}>
      {error && <ErrorNotice problem={error} title="Not computed." />}
      {!data && !error && <Skeleton rows={8} />}
      {data && (
        <section>
          <div class="phead sides-2">
            <Section title="A" note={a.id}>
              <p class="soft">{shape(policies[0])}</p>
            </Section>
            <Section title="B" note={`${b.id}, ${plural(changes.length, 'change')}`}>
              <p class="soft">{shape(policies[1])}</p>
            </Section>
          </div>
          <figure class="scroll">
            <WaitsChart sides={data.sides} />
          </figure>
          <WaitsLegend />
        </section>
      )}
      {data && <Herd {...data.herd} isOld={isOld} />}
      <Backtest id={a.id} old={policies[0]} changed={policies[1]} />
    </Cols>
  );
}

function useLab([a, b]: readonly [PolicyFields, PolicyFields]) {
  return useQuery(`lab ${JSON.stringify([a, b, herdNumbers()])}`, async (signal) => {
    await new Promise<void>((resolve) => void clock.setTimer(TYPING_MS, resolve));
    signal.throwIfAborted();
    const waits = await Promise.all([askLab('waits', a), askLab('waits', b)]);
    const longestMs = Math.max(...waits.map(({ totalMs }) => totalMs));
    signal.throwIfAborted();
    const herd = (policy: PolicyFields) => askLab('simulate', herdScene(policy, longestMs));
    const sides = waits.map(({ delays_ms }, side) => ({ id: 'AB'[side] ?? '', delays_ms }));
    return { sides, herd: { a: await herd(a), b: await herd(b), of: herdNumbers() } };
  });
}

interface UrlFieldProps {
  readonly name: string;
  readonly label: string;
  /** The value that is not in the URL. */
  readonly was: string;
  readonly choices?: readonly string[] | undefined;
}

function UrlField({ name, label, was, choices }: UrlFieldProps) {
  const value = useSignal(param(name) ?? was);
  const text = value.value.trim();
  useEffect(() => {
    if (text === (param(name) ?? was)) return;
    setParams({ [name]: text === was ? undefined : text }, { replace: true });
  }, [text]);
  if (choices) {
    const all = choices.includes(value.value) ? choices : [value.value, ...choices];
    return <Select label={label} value={value} options={all.map((one) => [one, one])} />;
  }
  const note = value.value !== was && `was ${was || 'no limit'}`;
  return <Field label={label} value={value} note={note} />;
}
