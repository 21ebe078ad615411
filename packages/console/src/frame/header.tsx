import { now } from '../clock.ts';
import { Seg } from '../components/index.ts';
import { duration, timeOfDay } from '../format.ts';
import { isSignedIn } from '../key.ts';
import { live, togglePaused } from '../live.ts';
import { me } from '../me.ts';
import { zone } from '../prefs.ts';
import { status } from '../status.ts';
import { Search } from './search.tsx';
import { signOut } from './sign-in.ts';

export function Header() {
  return (
    <header class="head">
      <span class="env cut" title={status.value?.store}>
        {storeName(status.value?.store ?? '')}
      </span>
      <Search />
      <span class="sp" />
      <div class="meta">
        <Live />
        <span class="clock nowrap">{timeOfDay(now.value)}</span>
        <span class="clock">
          <Seg
            label="Time zone"
            value={zone.value}
            onChange={(value) => (zone.value = value)}
            options={[
              ['utc', 'UTC'],
              ['local', 'Local'],
            ]}
          />
        </span>
        <span class="role">
          {me.value?.name} <span class="muted">{me.value?.role}</span>
        </span>
        {isSignedIn() && (
          <button type="button" class="link" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </div>
    </header>
  );
}

/** `redrive-demo.db` of a file, the host of a server. */
function storeName(store: string): string {
  return store.replace(/^\w+:(\/\/[^@/]*@)?/, '').replace(/^.*\/(?=[^/]+$)/, '') || store;
}

function Live() {
  const { state, sinceMs, waiting } = live.value;
  const text =
    state === 'lost'
      ? `Not live, ${duration(Math.floor((now.value - (sinceMs ?? 0)) / 1_000) * 1_000)}`
      : state === 'paused'
        ? `Paused, ${waiting} new`
        : 'Live';
  return (
    <button
      type="button"
      class={`live ${state}`}
      aria-pressed={state === 'paused'}
      title="r: live or paused"
      onClick={togglePaused}
    >
      {text}
    </button>
  );
}
