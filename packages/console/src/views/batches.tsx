import type { BatchesListAnswer } from '@redrive/client';
import { commandText } from '@redrive/core/fields';
import { client } from '../api.ts';
import {
  Acts,
  Bar,
  type Column,
  Empty,
  Facts,
  Link,
  List,
  Loaded,
  type Offer,
  Page,
  State,
  Time,
  Two,
} from '../components/index.ts';
import { num, plural, sentence } from '../format.ts';
import { jobHref } from '../links.ts';
import { useRead } from '../use-query.ts';

type Batch = BatchesListAnswer['batches'][number];

const STATES: Readonly<Record<Batch['state'], readonly [of: string, word: string]>> = {
  open: ['planned', 'Open'],
  sealed: ['running', 'Sealed'],
  ended: ['succeeded', 'Ended'],
};

/** Batches of jobs, the newest first, and the progress of each. */
export function Batches(_: { readonly rest: readonly string[] }) {
  const query = useRead(client.batches.list, { limit: 50 }, { everyMs: 5_000 });
  const batches = query.data?.batches ?? [];
  const left = batches.filter(({ state }) => state !== 'ended').length;
  return (
    <Page
      title="Batches"
      lede={batches.length > 0 && `${sentence(left, 'batch has', 'batches have')} not ended.`}
    >
      <Loaded query={query} title="The batches did not load.">
        {() => (
          <List
            label="Batches of jobs"
            rows={batches}
            columns={COLUMNS}
            idOf={({ id }) => id}
            opens
            below={(batch) => <Panel of={batch} onDone={query.reload} />}
            empty={NONE}
          />
        )}
      </Loaded>
    </Page>
  );
}

const NONE = (
  <Empty title="No batch" command="redrive batches list">
    A program makes one with jobs.enqueueBatch().
  </Empty>
);

const doneOf = ({ total, waiting, running }: Batch) => total - waiting - running;

const COLUMNS: readonly Column<Batch>[] = [
  ['Batch', (one) => <Two top={one.id} sub={one.tenant ?? ''} />],
  ['State', ({ state }) => <State of={STATES[state][0]} word={STATES[state][1]} />],
  [
    'Done',
    (one) => (
      <>
        {num(doneOf(one))} of {num(one.total)}
        <Bar value={doneOf(one)} max={one.total} />
      </>
    ),
    'n',
  ],
  ['Running', ({ running }) => num(running), 'n hide-phone'],
  ['Dead', ({ dead }) => num(dead), 'n'],
  ['Opened', ({ opened_at }) => <Time at={opened_at} />, 'n hide-phone'],
];

function Panel({ of, onDone }: { readonly of: Batch; readonly onDone: () => void }) {
  const { then, then_job: follows, ended_at: ended } = of;
  return (
    <>
      <Facts
        of={[
          ['Waiting', num(of.waiting)],
          ['Succeeded', num(of.succeeded)],
          ['Cancelled', num(of.cancelled)],
          ['Purged', of.purged > 0 && num(of.purged)],
          ['Then', follows === null ? then : <Link href={jobHref(follows)}>{then}</Link>],
          ['Opened by', of.by],
          ['Ended', ended && <Time at={ended} />],
        ]}
      />
      <div class="btns">
        <Acts of={actsOf(of)} onDone={onDone} />
      </div>
    </>
  );
}

function actsOf({ id, dead, waiting, running }: Batch): readonly Offer[] {
  const unfinished = waiting + running;
  const cancel: Offer = {
    name: 'cancel',
    label: 'Cancel…',
    act: () => ({
      title: `Cancel ${id}`,
      lede: `It is sealed, and workers cancel ${plural(unfinished, 'unfinished job')}. When all jobs have finished, the job that follows runs with the counts.`,
      danger: true,
      button: `Cancel ${id}`,
      said: `Workers cancel the jobs of ${id}.`,
      command: commandText`redrive batches cancel ${id}`,
      run: (why) => client.batches.cancel({ ...why, id }),
    }),
  };
  const retry: Offer = {
    name: 'retry',
    label: 'Retry dead jobs…',
    act: () => ({
      title: `Retry the dead jobs of ${id}`,
      lede: `Workers requeue ${plural(dead, 'dead job')} in stages. The job that follows does not run again.`,
      button: `Retry ${id}`,
      said: `Workers requeue the dead jobs of ${id}.`,
      command: commandText`redrive batches retry ${id}`,
      run: (why) => client.batches.retry({ ...why, id }),
    }),
  };
  return [...(unfinished > 0 ? [cancel] : []), ...(dead > 0 ? [retry] : [])];
}
