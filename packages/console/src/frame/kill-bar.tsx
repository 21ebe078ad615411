import { Button, Glyph } from '../components/index.ts';
import { ago, bounded, plural } from '../format.ts';
import { whyNot } from '../session.ts';
import { type StatusDocument, status } from '../status.ts';
import { scopeKey } from '../views/control/scope.ts';

type Kill = StatusDocument['kill_switches'][number];

/** `handler invoice`, `everything` */
export function scopeText({ scope, name }: Pick<Kill, 'scope' | 'name'>): string {
  if (scope === 'all') return 'everything';
  return `${scope === 'operation' ? 'handler' : scope} ${name ?? ''}`;
}

/** Above everything while a kill switch is engaged. It cannot be dismissed. */
export function KillBar() {
  const [kill, ...others] = status.value?.kill_switches ?? [];
  if (kill === undefined) return null;
  if (others.length > 0) {
    return (
      <div class="kill">
        <Glyph of="stop" />
        <b role="alert">{plural(others.length + 1, 'kill switch', 'kill switches')}</b>
        <span class="rest">{[kill, ...others].map(scopeText).join(', ')}</span>
        <span class="sp" />
        <Button small href="/control">
          Show
        </Button>
      </div>
    );
  }
  return (
    <div class="kill">
      <Glyph of="stop" />
      <b role="alert">Stopped: {scopeText(kill)}</b>
      <span class="rest">
        {kill.by}, {ago(kill.since)}
        {kill.why !== null && (
          <>
            {' '}
            <span class="dot">·</span> “{kill.why}”
          </>
        )}{' '}
        <span class="dot">·</span> {waitText(kill)}
      </span>
      <span class="sp" />
      {whyNot('admin') === undefined ? (
        <Button small href={`/control?act=release&scope=${encodeURIComponent(scopeKey(kill))}`}>
          Release…
        </Button>
      ) : (
        <Button small href="/control">
          Show
        </Button>
      )}
    </div>
  );
}

function waitText({ waiting, bounded: isBound }: Kill): string {
  if (waiting === null) return 'jobs wait, not counted by tenant';
  return `${bounded(waiting, isBound)} ${waiting === 1 && !isBound ? 'job waits' : 'jobs wait'}`;
}
