import type { ControlOverview } from '@redrive/durable';
import { BREAKER_COLUMNS, breakerRow } from '../breaker/breaker-lines.ts';
import { breakerJson, breakerViews } from '../breaker/breaker-view.ts';
import { GATE_COLUMNS, gateJson, gateRow, gateViews } from '../gate/gate-view.ts';
import { killDocument } from '../kill/kill-document.ts';
import { killLines } from '../kill/kill-lines.ts';
import { PARK_COLUMNS, parkJson, parkRow } from '../park/park-view.ts';
import type { Screen } from '../terminal/screen.ts';
import { tableLines } from '../terminal/table.ts';

/** Rows of one kind that anybody reads here; its own command has all. */
const MAX_ROWS = 10;

/** What keeps work from starting, besides pauses, as JSON prints it. */
export function controlDocument(control: ControlOverview) {
  return {
    kill_switches: control.killSwitches.map(killDocument),
    breakers: openBreakers(control).map((view) => breakerJson(view, control.nowMs)),
    gates: gateViews(control).map(gateJson),
    parked: control.parked.map(parkJson),
  };
}

/** The same for people; nothing where there is nothing. */
export function controlLines(screen: Screen, control: ControlOverview): string[] {
  const { killSwitches, parked, nowMs } = control;
  const stopped = killLines(screen, killSwitches, nowMs);
  return [
    ...(stopped.length === 0 ? [] : ['', ...stopped]),
    ...section(screen, 'Breakers that are not closed:', openBreakers(control), 'breaker', (rows) =>
      tableLines(
        screen,
        BREAKER_COLUMNS,
        rows.map((view) => breakerRow(view, nowMs)),
      ),
    ),
    ...section(screen, 'Closed gates:', gateViews(control), 'gate', (rows) =>
      tableLines(
        screen,
        GATE_COLUMNS,
        rows.map((view) => gateRow(view, nowMs)),
      ),
    ),
    ...section(screen, 'Parked by cause:', parked, 'park', (rows) =>
      tableLines(
        screen,
        PARK_COLUMNS,
        rows.map((park) => parkRow(park, nowMs)),
      ),
    ),
  ];
}

function openBreakers(control: ControlOverview) {
  return breakerViews(control).filter(({ state, forced }) => state !== 'closed' || forced);
}

function section<T>(
  screen: Screen,
  title: string,
  all: readonly T[],
  command: string,
  table: (rows: readonly T[]) => string[],
): string[] {
  if (all.length === 0) return [];
  const rest = all.length - MAX_ROWS;
  return [
    '',
    screen.paint('yellow', title),
    ...table(all.slice(0, MAX_ROWS)),
    ...(rest > 0 ? [`and ${rest} more: redrive ${command} list`] : []),
  ];
}
