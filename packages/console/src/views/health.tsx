import type {
  ConfigShowAnswer,
  DoctorCheckAnswer,
  SchedulesListAnswer,
  WorkersListAnswer,
} from '@redrive/client';
import { client } from '../api.ts';
import {
  Button,
  Cols,
  type Column,
  CommandLine,
  Empty,
  Facts,
  List,
  Loaded,
  Notice,
  Page,
  Section,
  State,
  Time,
  Two,
  textOf,
} from '../components/index.ts';
import { duration, num } from '../format.ts';
import { status } from '../status.ts';
import { useRead } from '../use-query.ts';
import { VERSION } from '../version.ts';

type Doctor = DoctorCheckAnswer;

const RESULTS = {
  ok: <State of="done" word="OK" />,
  warning: <State of="warning" />,
  problem: <State of="critical" word="Problem" />,
  skipped: <State of="planned" word="Not checked" />,
} as const;

export function Health(_: { readonly rest: readonly string[] }) {
  const doctor = useRead(client.doctor.check, {}, { everyMs: 60_000 });
  const bad = doctor.data?.findings.filter(({ level }) => level === 'problem').length ?? 0;
  return (
    <Page
      title="Health"
      lede={
        doctor.data &&
        (bad === 0 ? 'No problems found.' : 'There are problems: each names its remedy.')
      }
      acts={<Button onClick={doctor.reload}>Check again</Button>}
    >
      <Cols rail={<Rail doctor={doctor.data} />}>
        <Section title="Checks" note="as redrive doctor, without the reading of all rows">
          <Loaded query={doctor} title="The checks did not run." rows={8}>
            {(found) => <Checks of={found} />}
          </Loaded>
        </Section>
        <Workers />
        <Schedules />
      </Cols>
    </Page>
  );
}

function Checks({ of: { checks, findings } }: { readonly of: Doctor }) {
  return (
    <>
      {findings.map(({ check, level, message, remedy }) => (
        <Notice key={message} tone={level === 'problem' ? 'bad' : 'warn'}>
          <b class="strong">{check}:</b> {message}
          <span class="l2">{remedy}</span>
        </Notice>
      ))}
      <List label="Checks" rows={checks} columns={CHECKS} idOf={nameOf} className="rows32" />
    </>
  );
}

const nameOf = ({ name }: { readonly name: string }) => name;
const CHECKS: readonly Column<Doctor['checks'][number]>[] = [
  ['Check', ({ name }) => name.replaceAll('_', ' ')],
  ['Result', ({ result }) => RESULTS[result]],
];
const WORKERS: readonly Column<WorkersListAnswer['workers'][number]>[] = [
  [
    'Worker',
    ({ name, handlers, more_handlers: more }) => (
      <Two top={name} sub={handlers.join(', ') + (more > 0 ? ` and ${more} more` : '')} />
    ),
  ],
  ['State', ({ state }) => state],
  ['Host', ({ host, pid }) => `${host} ${pid}`, 'hide-phone'],
  ['Version', ({ version }) => version, 'hide-phone'],
  ['Running', ({ running, concurrency }) => `${running} of ${concurrency}`, 'n'],
  ['Since', ({ since }) => <Time at={since} kind="since" />, 'n hide-phone'],
  ['Seen', ({ last_seen_at }) => <Time at={last_seen_at} />, 'n'],
];

function Workers() {
  const query = useRead(client.workers.list, { limit: 200 }, { everyMs: 5_000 });
  return (
    <Section title="Workers" note={query.data && num(query.data.workers.length)}>
      <Loaded query={query} title="The workers did not load.">
        {({ workers }) => (
          <List
            label="Workers"
            rows={workers}
            columns={WORKERS}
            idOf={nameOf}
            empty={
              <Empty title="No worker is alive" command="redrive start">
                Jobs wait until a worker runs.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  );
}

type Schedule = SchedulesListAnswer['schedules'][number];

const timesOf = ({ cron, every_ms, time_zone }: Schedule) =>
  cron === null ? `every ${duration(every_ms ?? 0)}` : `${cron} ${time_zone ?? ''}`;
const scheduleState = ({ state, stopped_by, stopped_why }: Schedule) => (
  <>
    {state === 'no_worker' ? <State of="warning" word="No worker" /> : <State of={state} />}
    {stopped_by && <span class="l2">{[stopped_by, stopped_why].filter(Boolean).join(': ')}</span>}
  </>
);
const SCHEDULES: readonly Column<Schedule>[] = [
  ['Schedule', (one) => <Two top={one.name} sub={timesOf(one)} />],
  ['State', scheduleState],
  ['Next', ({ next }) => <Time at={next} />, 'n'],
  ['Last', ({ last_tick }) => <Time at={last_tick} />, 'n hide-phone'],
  ['Result', ({ last_result }) => last_result, 'hide-phone'],
  ['Holder', ({ holder }) => holder, 'hide-phone soft'],
];

function Schedules() {
  const query = useRead(client.schedules.list, {}, { everyMs: 10_000 });
  return (
    <Section title="Schedules" note={query.data && num(query.data.schedules.length)}>
      <Loaded query={query} title="The schedules did not load.">
        {({ schedules }) => (
          <List
            label="Schedules"
            rows={schedules}
            columns={SCHEDULES}
            idOf={nameOf}
            empty={<p class="soft">No schedule is declared.</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Versions, the configuration in force, and the state of schema and disk. */
function Rail({ doctor }: { readonly doctor: Doctor | undefined }) {
  const config = useRead(client.config.show);
  const versions = [...new Set((status.value?.workers ?? []).map(({ version }) => version))];
  const result = (name: string) => {
    const found = doctor?.checks.find((check) => check.name === name)?.result;
    return found && RESULTS[found];
  };
  const { file, hash, version } = config.data ?? {};
  return (
    <>
      <Section title="Versions">
        <Facts
          of={[
            ['Console', VERSION],
            ['Workers', versions.join(', ') || 'none is alive'],
            ['Store', doctor?.store ?? status.value?.store],
            ['Schema', result('schema')],
            ['Disk', result('disk')],
          ]}
        />
      </Section>
      <Section title="Configuration in force">
        <Facts
          of={[
            ['File', file === null ? 'none: the presets alone' : file],
            ['Format', version],
            ['Version', hash && <span class="mono">{hash.slice(0, 12)}</span>],
            ['Values set', config.data && num(config.data.values.length)],
          ]}
        />
        <details>
          <summary class="l2">Show the values, passwords masked</summary>
          <List
            label="Values of the configuration"
            rows={config.data?.values ?? []}
            columns={VALUES}
            idOf={({ path }) => path}
          />
        </details>
      </Section>
      <CommandLine text="redrive doctor" />
    </>
  );
}

const VALUES: readonly Column<ConfigShowAnswer['values'][number]>[] = [
  ['Path', ({ path, where }) => <Two top={path} sub={where} />, 'wrap'],
  ['Value', ({ value }) => textOf(value), 'wrap'],
];
