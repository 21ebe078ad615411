import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/components.css';
import { App } from './app.tsx';
import { startClock } from './clock.ts';
import { startKeys } from './keys.ts';
import { startPrefs } from './prefs.ts';
import { startRouter } from './router.ts';
import { VIEWS } from './views/index.ts';

startPrefs();
startClock();
startRouter(VIEWS);
startKeys();
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
