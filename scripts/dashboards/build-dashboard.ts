import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  type Panel,
  RowBuilder,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder as GaugeBuilder } from '@grafana/grafana-foundation-sdk/gauge';
import { PanelBuilder as HeatmapBuilder } from '@grafana/grafana-foundation-sdk/heatmap';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** A panel as data. */
export interface PanelSpec {
  readonly title: string;
  readonly description: string;
  readonly kind?: 'graph' | 'gauge' | 'stat' | 'heatmap';
  /** A unit of Grafana: `short`, `s`, `ops`, `percentunit`. */
  readonly unit: string;
  /** Expressions, each with its legend. */
  readonly queries: Readonly<Record<string, string>>;
  /** Values at which the colour becomes yellow and red. */
  readonly thresholds?: readonly [warning: number, critical: number];
}

export interface DashboardSpec {
  readonly title: string;
  /** Part of the address in Grafana, and so of the alerts: it never changes. */
  readonly uid: string;
  readonly description: string;
  /** Panels by the title of their row. */
  readonly rows: Readonly<Record<string, readonly PanelSpec[]>>;
}

const BUILDERS = {
  graph: TimeseriesBuilder,
  gauge: GaugeBuilder,
  stat: StatBuilder,
  heatmap: HeatmapBuilder,
} as const;

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
const COLUMNS = 24;
const HEIGHT = 8;

/** The JSON that Grafana imports. */
export function dashboardJson({ title, uid, description, rows }: DashboardSpec): string {
  const dashboard = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['redrive'])
    .time({ from: 'now-6h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(
      new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    );
  for (const [name, panels] of Object.entries(rows)) {
    dashboard.withRow(new RowBuilder(name));
    const width = COLUMNS / Math.min(panels.length, 3);
    for (const panel of panels) dashboard.withPanel(panelOf(panel, width));
  }
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`;
}

function panelOf(spec: PanelSpec, width: number): Builder<Panel> {
  const { kind = 'graph', title, description, unit, queries, thresholds } = spec;
  const panel = new BUILDERS[kind]()
    .title(title)
    .description(description)
    .datasource(DATASOURCE)
    .unit(unit)
    .min(0)
    .span(width)
    .height(HEIGHT);
  Object.entries(queries).forEach(([expression, legend], index) => {
    const query = new DataqueryBuilder()
      .refId(String.fromCharCode(65 + index))
      .expr(expression)
      .legendFormat(legend);
    panel.withTarget(kind === 'heatmap' ? query.format(PromQueryFormat.Heatmap) : query);
  });
  if (thresholds !== undefined) {
    panel.thresholds(
      new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(stepsOf(thresholds)),
    );
  }
  return panel;
}

function stepsOf([warning, critical]: readonly [number, number]): Threshold[] {
  return [
    { value: null, color: 'green' },
    { value: warning, color: 'yellow' },
    { value: critical, color: 'red' },
  ];
}
