import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Tone } from './state.tsx';

/** One row of figures between hairlines. */
export function Strip({ children }: { readonly children: ComponentChildren }) {
  return <dl class="strip">{children}</dl>;
}

export interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly unit?: string | undefined;
  readonly detail?: ComponentChildren;
  readonly spark?: ComponentChildren;
}

export function Figure({ label, value, unit, detail, spark }: FigureProps) {
  const first = useRef(value).current;
  return (
    <div class="fig">
      <dt>{label}</dt>
      <dd class="v">
        {/* Another number is another element, which shows for a moment that it changed. */}
        <span key={String(value)} class={value === first ? '' : 'changed'}>
          {value}
        </span>
        {unit && <small>{unit}</small>}
      </dd>
      {detail !== undefined && <dd class="d">{detail}</dd>}
      {spark && <dd aria-hidden="true">{spark}</dd>}
    </div>
  );
}

export interface SparklineProps {
  readonly values: readonly number[];
  /** Bars for counts, a line with an end dot for rates. */
  readonly kind?: 'bars' | 'line';
  readonly tone?: Tone;
  readonly width?: number;
  readonly height?: number;
}

/** A trend without an axis. */
export function Sparkline({
  values,
  kind = 'line',
  tone = 'idle',
  width = 64,
  height = 20,
}: SparklineProps) {
  const max = Math.max(1e-9, ...values);
  const shared = { class: `spark t-${tone}`, width, height } as const;
  if (kind === 'bars') {
    const step = width / Math.max(1, values.length);
    return (
      <svg {...shared} aria-hidden="true" viewBox={`0 0 ${width} ${height}`}>
        {values.map((value, index) => {
          const tall = value === 0 ? 1 : Math.max(1, (value / max) * height);
          return (
            <rect
              key={index}
              class={value === 0 ? 'none' : undefined}
              x={(index * step).toFixed(1)}
              y={(height - tall).toFixed(1)}
              width={Math.max(1, step - 1).toFixed(1)}
              height={tall.toFixed(1)}
            />
          );
        })}
      </svg>
    );
  }
  const min = Math.min(...values, max);
  const span = max - min || 1;
  const points = values.map((value, index) => {
    const x = 1 + (index / Math.max(1, values.length - 1)) * (width - 4);
    return [x, height - 2 - ((value - min) / span) * (height - 4)] as const;
  });
  const [endX = 1, endY = height - 2] = points.at(-1) ?? [];
  const path = points.map(
    ([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`,
  );
  return (
    <svg {...shared} aria-hidden="true" viewBox={`0 0 ${width} ${height}`}>
      <path d={path.join('')} />
      {points.length > 0 && <circle cx={endX.toFixed(1)} cy={endY.toFixed(1)} r="1.8" />}
    </svg>
  );
}

export interface BarProps {
  readonly value: number;
  readonly max: number;
  readonly tone?: 'ink' | 'red' | 'green' | 'blue';
}

export function Bar({ value, max, tone = 'ink' }: BarProps) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  return (
    <div class="bar">
      <i class={tone} style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </div>
  );
}
