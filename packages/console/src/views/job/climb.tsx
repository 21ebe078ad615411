import type { JobsClimbAnswer } from '@redrive/client';
import { Section, State } from '../../components/index.ts';
import { duration, msOf, plural, timeOfDay } from '../../format.ts';

type Step = JobsClimbAnswer['steps'][number];
type Attempt = Step['attempts'][number];

/** The rungs, by the number that they have everywhere. */
const RUNGS: Readonly<Record<Step['rung'], readonly [number: number, word: string]>> = {
  call: [1, 'call'],
  event: [2, 'event'],
  job: [3, 'job'],
  document: [4, 'sweep'],
};

/** All that the work of a job has been through, on one axis. Nothing, where the job is all there is. */
export function Climb({ of, job }: { readonly of: JobsClimbAnswer; readonly job: string }) {
  const { steps, correlation_id: id, complete } = of;
  if (steps.length < 2) return null;
  const startMs = Math.min(...steps.map(({ from }) => msOf(from)));
  const endMs = Math.max(...steps.map((step) => endOf(step, of)));
  const spanMs = Math.max(1, endMs - startMs);
  const attempts = steps.reduce((sum, step) => sum + step.attempts.length, 0);
  const rungs = new Set(steps.map(({ rung }) => rung)).size;
  const note = `${id}: ${plural(attempts, 'attempt')} on ${plural(rungs, 'rung')} in ${duration(endMs - startMs)}, from ${timeOfDay(startMs)}`;
  const place = (ms: number) => `${(((ms - startMs) / spanMs) * 100).toFixed(2)}%`;
  return (
    <Section title="All rungs" note={note} className="climb">
      <ol class="tl">
        {steps.map((step) => (
          <li key={`${step.rung} ${step.id}`}>
            <Row {...{ step, place }} isOwn={step.id === job} endMs={endOf(step, of)} />
          </li>
        ))}
      </ol>
      {!complete && <p class="l2">There is more in the audit log.</p>}
    </Section>
  );
}

interface RowProps {
  readonly step: Step;
  readonly place: (ms: number) => string;
  readonly isOwn: boolean;
  readonly endMs: number;
}

function Row({ step, place, isOwn, endMs }: RowProps) {
  const { rung, id, name, state, from, attempts } = step;
  const [number, word] = RUNGS[rung];
  const content = (
    <>
      <span class="lab2">
        <span class="num">{number}</span>
        <span class="name" title={`${word} ${name}`}>
          <span class="sr">{word} </span>
          {name}
        </span>
        <State of={STATES[state] ?? state} word={WORDS[state]} />
      </span>
      <span class="track">
        <span
          class="w hatch"
          style={{ left: place(msOf(from)), right: `calc(100% - ${place(endMs)})` }}
        />
        {attempts.map((each) => (
          <Bar key={`${each.generation}.${each.attempt}`} of={each} place={place} />
        ))}
      </span>
    </>
  );
  if (rung === 'call') return <div class="r">{content}</div>;
  return (
    <a class="r" href={`/jobs/${encodeURIComponent(id)}`} aria-current={isOwn ? 'true' : undefined}>
      {content}
    </a>
  );
}

function Bar({ of, place }: { readonly of: Attempt; readonly place: RowProps['place'] }) {
  const { attempt, started_at: at, duration_ms: tookMs, success, error, reason } = of;
  const startMs = msOf(at);
  const text = `attempt ${attempt}, ${timeOfDay(startMs)}, ${duration(tookMs)}: ${error ?? reason}`;
  return (
    <span
      class={`b ${success ? 'succeeded' : 'failed'}`}
      title={text}
      style={{ left: place(startMs), right: `calc(100% - ${place(startMs + tookMs)})` }}
    >
      <span class="sr">{text}</span>
    </span>
  );
}

/** States of calls, by the glyph of a state of jobs. */
const STATES: Readonly<Record<string, string>> = { handed_over: 'scheduled', given_up: 'failed' };
const WORDS: Readonly<Record<string, string>> = {
  handed_over: 'Handed over',
  given_up: 'Given up',
};

function endOf({ until, attempts, from }: Step, { now }: JobsClimbAnswer): number {
  if (until === null) return msOf(now);
  const ends = attempts.map(({ started_at: at, duration_ms: tookMs }) => msOf(at) + tookMs);
  return Math.max(msOf(from), msOf(until), ...ends);
}
