import { useSignal } from '@preact/signals';
import type { JobsTimelineAnswer as JobTimeline } from '@redrive/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Section, State, Switch } from '../../components/index.ts';
import { duration, hourMinute, msOf, timeOfDay } from '../../format.ts';
import { useListKeys } from '../../keys.ts';
import { hrefWith, navigate, param } from '../../router.ts';
import {
  defaultSteps,
  layoutTimeline,
  type Span,
  type Steps,
  type TimelineLayout,
  type TimelineTimes,
} from './timeline-layout.ts';
import { plannedText, tookText, waitClass, waitText } from './timeline-text.ts';

export type TimelineRow = JobTimeline['rows'][number];

const NARROW = 132;
const LABEL = 220;
/** Pixels of a character of 12 px, at most. */
const CHARACTER = 6.6;

/** Attempts as solid bars, waits hatched, planned attempts dashed behind now. */
export function Timeline({
  of,
  selected,
}: {
  readonly of: JobTimeline;
  readonly selected: number | undefined;
}) {
  const [box, width] = useWidth();
  const times = timesOf(of);
  const wished = param('steps');
  const steps: Steps = wished === 'even' || wished === 'scale' ? wished : defaultSteps(times);
  const layout = layoutTimeline(times, Math.max(80, width), steps);
  const at = useSignal(-1);
  const open = (index: number) => {
    const row = of.rows[index];
    if (row !== undefined) navigate(hrefWith({ attempt: String(row.attempt) }), { replace: true });
  };
  useListKeys({ count: of.rows.length, at, open });
  const ranMs = times.rows.reduce((sum, row) => sum + row.endedMs - row.startedMs, 0);
  const endMs = times.endMs ?? times.nowMs;
  const span = `${timeOfDay(times.startMs)} to ${of.finished_at === null ? 'now' : timeOfDay(endMs)}, ${duration(endMs - times.startMs)}; ${duration(ranMs)} of it ran`;
  return (
    <Section
      title="Timeline"
      note={span}
      end={<Switch name="steps" value={steps} options={STEPS} />}
      className="timeline"
    >
      <div class="tl" ref={box}>
        <div class="r axis" aria-hidden="true">
          <div class="lab2" />
          <div class="track">
            {layout.ticks.map((tick) => (
              <span key={tick.ms} class="t" style={{ left: px(tick.at) }}>
                {layout.hasSeconds ? timeOfDay(tick.ms) : hourMinute(tick.ms)}
              </span>
            ))}
            {layout.now !== undefined && (
              <span class="t now" style={{ left: px(layout.now) }}>
                now {hourMinute(times.nowMs)}
              </span>
            )}
          </div>
        </div>
        {of.rows.map(rowOf)}
        {of.planned.map((planned, index) => (
          <div class="r" key={planned.attempt}>
            <div class="lab2">
              <span class="num">{planned.attempt}</span>
              <span class="soft">
                <State of="planned" />
              </span>
              <span class="took" />
            </div>
            <div class="track">
              {lines()}
              <span class="b ghost" style={spanStyle(layout.planned[index])} />
              <span class="t faint" style={{ right: px(width - (layout.now ?? width) + 10) }}>
                {plannedText(planned)}
              </span>
            </div>
          </div>
        ))}
      </div>
      <Legend />
      {of.events.length > 0 && (
        <ul class="sr">
          {of.events.map(({ at: when, text }) => (
            <li key={text}>
              {timeOfDay(when)}: {text}
            </li>
          ))}
        </ul>
      )}
      {!of.complete && <p class="l2">The oldest attempts are in the audit log only.</p>}
    </Section>
  );

  function lines() {
    const { ticks, now, events } = layout;
    return (
      <>
        {ticks.map((tick) => (
          <span key={tick.ms} class="v" style={{ left: px(tick.at) }} />
        ))}
        {events.map((each, index) => (
          <span
            key={of.events[index]?.text}
            class="v ev"
            title={`${timeOfDay(of.events[index]?.at ?? 0)} ${of.events[index]?.text}`}
            style={{ left: px(each) }}
          />
        ))}
        {now !== undefined && <span class="v now" style={{ left: px(now) }} />}
      </>
    );
  }

  function rowOf(row: TimelineRow, index: number) {
    const { nowMs } = times;
    const placed = layout.rows[index];
    const texts = row.waits.map((wait) => waitText(wait, row, nowMs));
    const label = texts.join(', ');
    const took = tookText(row, nowMs);
    return (
      <a
        class="r"
        key={row.attempt}
        data-row={index}
        href={hrefWith({ attempt: String(row.attempt) })}
        aria-current={row.attempt === selected ? 'true' : undefined}
      >
        <span class="lab2">
          <span class="num">
            <span class="sr">Attempt </span>
            {row.attempt}
          </span>
          <State of={row.entry} />
          <span class="took">{took}</span>
        </span>
        <span class="track">
          {lines()}
          {placed?.waits.map((wait, n) => (
            <span
              key={row.waits[n]?.from}
              class={`w hatch ${waitClass(row.waits[n]?.why)}`}
              style={spanStyle(wait)}
            />
          ))}
          <span class={`b ${row.entry}`} style={spanStyle(placed?.bar)} />
          <span class="t" style={labelStyle(placed, label, layout.now ?? width)}>
            {label}
          </span>
        </span>
      </a>
    );
  }

  /** Right of the wait; left of the bar where it would pass now and there is room. */
  function labelStyle(
    placed: TimelineLayout['rows'][number] | undefined,
    text: string,
    end: number,
  ) {
    if (placed === undefined) return {};
    const last = placed.waits.at(-1) ?? placed.bar;
    const from = last.left + last.width + 4;
    const size = text.length * CHARACTER;
    const isLeft = from + size > end && placed.bar.left >= size;
    if (isLeft) return { right: px(width - placed.bar.left + 2) };
    // No room on either side: it lies over the wait.
    return from + size > width ? { right: px(width - end + 4) } : { left: px(from) };
  }
}

const STEPS = [
  ['scale', 'To scale'],
  ['even', 'Even steps'],
] as const;

const LEGEND = [
  ['b failed', 'ran and failed'],
  ['hatch', 'waited: back-off'],
  ['hatch hint', 'hint'],
  ['hatch breaker', 'breaker or gate'],
  ['hatch kill-h', 'kill switch'],
  ['ghost', 'planned'],
] as const;

function Legend() {
  return (
    <div class="legend tl-legend" aria-hidden="true">
      {LEGEND.map(([name, text]) => (
        <span key={text}>
          <i class={name} />
          {text}
        </span>
      ))}
    </div>
  );
}

/** The width of the track, without the column of labels. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, set] = useState(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => set(element.clientWidth - (innerWidth <= 760 ? NARROW : LABEL));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [box, width] as const;
}

export function timesOf(of: JobTimeline): TimelineTimes {
  const nowMs = msOf(of.now);
  const endMs = of.finished_at === null ? undefined : msOf(of.finished_at);
  const rows = of.rows.map((row) => ({
    startedMs: msOf(row.started_at),
    endedMs: msOf(row.ended_at ?? nowMs),
    waits: row.waits.map((wait) => ({
      fromMs: msOf(wait.from),
      untilMs: wait.ongoing ? nowMs : msOf(wait.until ?? nowMs),
    })),
  }));
  const startMs = rows[0]?.startedMs ?? msOf(of.submitted_at);
  return {
    ...{ nowMs, startMs, endMs, rows },
    planned: of.planned.map(({ at, waits_for }) =>
      at === null || waits_for !== null ? undefined : Math.max(nowMs, msOf(at)),
    ),
    events: of.events.map(({ at }) => Math.max(startMs, msOf(at))),
  };
}

function px(value: number): string {
  return `${value.toFixed(1)}px`;
}

function spanStyle(span: Span | undefined) {
  return span === undefined ? {} : { left: px(span.left), width: px(span.width) };
}
