import { Glyph } from '../../components/index.ts';
import { num, percent, sum } from '../../format.ts';
import type { OperationDocument } from './operation-words.ts';

interface Stage {
  readonly name: string;
  readonly size: number | undefined;
  readonly state: 'passed' | 'now' | 'todo';
}

/** A segment per stage: green succeeded, red failed again, hatched in flight, dashed to do. Widths are not to scale. */
export function Ramp({ of }: { readonly of: OperationDocument }) {
  const { ramp, state, total, total_bounded } = of;
  if (ramp === null) return <Whole of={of} />;
  const first = sum(ramp.stages);
  const rest = total === null || total_bounded ? undefined : Math.max(0, total - first);
  const names = [
    ...ramp.stages.map((size) => [num(size), size] as const),
    ['The rest', rest] as const,
  ];
  const isOver = state === 'finished';
  const stages: Stage[] = names.map(([name, size], index) => ({
    name,
    size,
    state: isOver || index + 1 < ramp.stage ? 'passed' : index + 1 === ramp.stage ? 'now' : 'todo',
  }));
  // A total below the first stages never comes to the others.
  const needed = stages.filter((_, index) => {
    const before = sum(ramp.stages.slice(0, index));
    return total === null || total_bounded || before < total;
  });
  return (
    <div class={`ramp ${state}`} role="img" aria-label={labelOf(of)}>
      {needed.map((stage, index) => (
        <div
          class="s"
          key={stage.name}
          style={{ flexGrow: index === needed.length - 1 && index > 0 ? 4 : 1 + index * 0.3 }}
        >
          <div class="h">
            <b>{stage.name}</b>
            {stage.state === 'passed' && <Glyph of="done" tone="green" />}
            {stage.name === 'The rest' && stage.size !== undefined && (
              <span class="muted">{num(stage.size)}</span>
            )}
            {stage.state === 'now' && state === 'stopped' && <Glyph of="stop" tone="red" />}
          </div>
          <Track stage={stage} of={of} ramp={ramp} />
        </div>
      ))}
    </div>
  );
}

interface TrackProps {
  readonly stage: Stage;
  readonly of: OperationDocument;
  readonly ramp: NonNullable<OperationDocument['ramp']>;
}

function Track({ stage, of, ramp }: TrackProps) {
  if (stage.state === 'passed') {
    return (
      <>
        <div class="track">
          <i class="ok" style={{ width: '100%' }} />
        </div>
        <span class="l2">passed</span>
      </>
    );
  }
  if (stage.state === 'todo') return <div class="track todo" />;
  const { sent, succeeded, came_back } = ramp;
  const flying = Math.max(0, sent - succeeded - came_back);
  const size = Math.max(1, sent, stage.size ?? (of.total ?? sent) * 1.2);
  const width = (count: number) => `${((count / size) * 100).toFixed(2)}%`;
  const left = (count: number) => ({ left: width(count) });
  const todo = stage.size === undefined ? '' : `, ${num(Math.max(0, stage.size - sent))} to send`;
  return (
    <>
      <div class="track todo now">
        <i class="ok" style={{ width: width(succeeded) }} />
        <i class="bad" style={{ ...left(succeeded), width: width(came_back) }} />
        <i class="fly" style={{ ...left(succeeded + came_back), width: width(flying) }} />
      </div>
      <span class={of.state === 'stopped' ? 'l2 red' : 'l2'}>
        {of.state === 'stopped'
          ? `${num(came_back)} of ${num(sent)} failed again, stops above ${percent(ramp.stop_share)}`
          : `${num(succeeded)} succeeded, ${num(came_back)} again, ${num(flying)} in flight${todo}`}
      </span>
    </>
  );
}

/** Without a ramp: one bar. */
function Whole({ of }: { readonly of: OperationDocument }) {
  const { done, refused, total } = of;
  const share = total ? Math.min(1, (done + refused) / total) : of.state === 'finished' ? 1 : 0;
  return (
    <div class={`ramp ${of.state}`} role="img" aria-label={labelOf(of)}>
      <div class="s">
        <div class="track todo now">
          <i class="ok" style={{ width: `${(share * 100).toFixed(1)}%` }} />
        </div>
      </div>
    </div>
  );
}

function labelOf({ done, total, succeeded, came_back, in_flight }: OperationDocument): string {
  const of = total === null ? '' : ` of ${num(total)}`;
  return `${num(done)}${of} sent, ${num(succeeded)} succeeded, ${num(came_back)} failed again, ${num(in_flight)} in flight`;
}
