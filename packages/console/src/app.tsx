import { useEffect } from 'preact/hooks';
import { clock } from './clock.ts';
import { Empty, Page } from './components/index.ts';
import { Toasts } from './components/toast.tsx';
import { GlobalKeys } from './frame/global-keys.ts';
import { Header } from './frame/header.tsx';
import { KillBar } from './frame/kill-bar.tsx';
import { Nav, Tabs } from './frame/nav.tsx';
import { overlay } from './frame/overlay.ts';
import { signIn } from './frame/sign-in.ts';
import { lazy, loadAll, preload } from './lazy.ts';
import { startLive } from './live.ts';
import { me } from './me.ts';
import { place } from './router.ts';
import { startStatus } from './status.ts';

/** The first view has the network to itself. */
const PRELOAD_MS = 2_000;

const Login = lazy(async () => (await import('./frame/login.tsx')).Login);
const Overlays = lazy(async () => (await import('./frame/overlays.tsx')).Overlays, false);

/** The frame of every view. */
export function App() {
  useEffect(() => {
    preload(place.value.view?.Page);
    void signIn();
    // Another link was opened in this tab.
    const again = () => void signIn();
    addEventListener('hashchange', again);
    return () => removeEventListener('hashchange', again);
  }, []);
  if (me.value === undefined) return null;
  if (me.value === null) return <Login />;
  return <Frame />;
}

function Frame() {
  useEffect(() => {
    const stops = [startLive(), startStatus()];
    const timer = clock.setTimer(PRELOAD_MS, () => void loadAll());
    return () => {
      timer.cancel();
      for (const stop of stops) stop();
    };
  }, []);
  const { view, rest } = place.value;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <KillBar />
      <Nav />
      <Header />
      {view === undefined ? <NoSuchPage /> : <view.Page key={view.name} rest={rest} />}
      <Tabs />
      <Toasts />
      <GlobalKeys />
      {overlay.value !== undefined && <Overlays />}
    </>
  );
}

function NoSuchPage() {
  return (
    <Page title="There is no such page">
      <Empty title="Nothing is at this address">
        The address may be of another version.{' '}
        <a class="link" href="/">
          Open the overview
        </a>
      </Empty>
    </Page>
  );
}
