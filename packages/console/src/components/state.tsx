import type { ComponentChildren } from 'preact';

/** The tone of a mark. A colour always comes with a glyph or a word. */
export type Tone = 'ink' | 'idle' | 'blue' | 'red' | 'amber' | 'green';

interface Look {
  readonly glyph: string;
  readonly tone: Tone;
  readonly word: string;
}

function look(glyph: string, tone: Tone, word: string): Look {
  return { glyph, tone, word };
}

/** Of jobs, attempts, breakers, bulk operations and documents. */
const LOOKS: Readonly<Record<string, Look>> = {
  ready: look('ready', 'idle', 'Ready'),
  scheduled: look('scheduled', 'idle', 'Scheduled'),
  leased: look('running', 'blue', 'Running'),
  running: look('running', 'blue', 'Running'),
  parked: look('parked', 'amber', 'Parked'),
  succeeded: look('done', 'green', 'Succeeded'),
  finished: look('done', 'green', 'Finished'),
  done: look('done', 'green', 'Done'),
  dead: look('dead', 'red', 'Dead'),
  cancelled: look('cancelled', 'idle', 'Cancelled'),
  aborted: look('cancelled', 'idle', 'Aborted'),
  purged: look('planned', 'idle', 'Purged'),
  failed: look('failed', 'red', 'Failed'),
  lease_lost: look('failed', 'red', 'Lease lost'),
  rate_limited: look('blocked', 'amber', 'Rate-limited'),
  blocked: look('blocked', 'idle', 'Blocked'),
  interrupted: look('cancelled', 'idle', 'Interrupted'),
  planned: look('planned', 'idle', 'Planned'),
  closed: look('b-closed', 'idle', 'Closed'),
  open: look('b-open', 'amber', 'Open'),
  half_open: look('b-half', 'amber', 'Half open'),
  paused: look('pause', 'idle', 'Paused'),
  stopped: look('stop', 'red', 'Stopped'),
  killed: look('stop', 'red', 'Stopped'),
  gate: look('gate', 'amber', 'Rate-limited'),
  warning: look('warning', 'amber', 'Warning'),
  critical: look('critical', 'red', 'Critical'),
};

export function Glyph({ of, tone }: { readonly of: string; readonly tone?: Tone | undefined }) {
  return (
    <svg class={tone === undefined ? 'g' : `g t-${tone}`} aria-hidden="true">
      <use href={`#${of}`} />
    </svg>
  );
}

interface StateProps {
  readonly of: string;
  /** In place of its own word. */
  readonly word?: ComponentChildren;
}

/** The glyph of a state and its word. */
export function State({ of, word = stateWord(of) }: StateProps) {
  const { glyph, tone } = LOOKS[of] ?? look('ready', 'idle', of);
  return (
    <span class="st">
      <Glyph of={glyph} tone={tone} />
      {word}
    </span>
  );
}

export function stateWord(of: string): string {
  return LOOKS[of]?.word ?? of;
}

export type TierName = 'warning' | 'critical' | 'lead';

const TIERS: Readonly<Record<TierName, string>> = {
  warning: 'Warning',
  critical: 'Critical',
  lead: 'Engineering lead',
};

/** Of an escalation: 2 warns, 3 is critical, 4 is for the engineering lead. Tier 1 needs nobody. */
export function tierOf(tier: number): TierName {
  return tier >= 4 ? 'lead' : tier === 3 ? 'critical' : 'warning';
}

export function Tier({ of }: { readonly of: TierName }) {
  return (
    <span class={`tier ${of}`}>
      {of !== 'lead' && <Glyph of={of} />}
      {TIERS[of]}
    </span>
  );
}
