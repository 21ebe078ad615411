import { Button, Glyph } from '../components/index.ts';
import { ago, plural } from '../format.ts';
import { whyNot } from '../me.ts';
import { type StatusDocument, status } from '../status.ts';
import { releaseHref, scopeText } from '../views/control/scope.ts';

type Kill = StatusDocument['kill_switches'][number];

const nameOf = (kill: Kill) => scopeText(kill, 'everything');

/** Above everything while a kill switch is engaged. It cannot be dismissed. */
export function KillBar() {
  const [kill, ...others] = status.value?.kill_switches ?? [];
  if (kill === undefined) return null;
  const isOne = others.length === 0;
  const canRelease = isOne && whyNot('admin') === undefined;
  return (
    <div class="kill">
      <Glyph of="stop" />
      <b role="alert">
        {isOne
          ? `Stopped: ${nameOf(kill)}`
          : plural(others.length + 1, 'kill switch', 'kill switches')}
      </b>
      <span class="rest">
        {isOne ? <About kill={kill} /> : [kill, ...others].map(nameOf).join(', ')}
      </span>
      <span class="sp" />
      <Button small href={canRelease ? releaseHref(kill) : '/control'}>
        {canRelease ? 'Release…' : 'Show'}
      </Button>
    </div>
  );
}

function About({ kill }: { readonly kill: Kill }) {
  const parts = [
    `${kill.by}, ${ago(kill.since)}`,
    ...(kill.why === null ? [] : [`“${kill.why}”`]),
    kill.waiting === null
      ? 'jobs wait, not counted by tenant'
      : plural(kill.waiting, 'job waits', 'jobs wait', kill.bounded),
  ];
  return parts.map((part, index) => (
    <span key={part}>
      {index > 0 && ' '}
      {index > 0 && <span class="dot">· </span>}
      {part}
    </span>
  ));
}
